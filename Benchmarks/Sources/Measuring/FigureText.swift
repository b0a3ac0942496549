/// Nanoseconds with a unit that suits them.
public func duration(_ nanoseconds: Double) -> String {
    let size = abs(nanoseconds)
    if size < 1e3 { return "\(decimal(nanoseconds, size < 100 ? 1 : 0)) ns" }
    if size < 1e6 { return "\(decimal(nanoseconds / 1e3, size < 1e5 ? 2 : 0)) µs" }
    if size < 1e9 { return "\(decimal(nanoseconds / 1e6, size < 1e8 ? 2 : 0)) ms" }
    return "\(decimal(nanoseconds / 1e9, 2)) s"
}

/// A number with so many digits after the point.
public func decimal(_ number: Double, _ digits: Int) -> String {
    let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
    let scaled = (number * factor).rounded()
    guard digits > 0 else { return "\(Int(scaled))" }
    let sign = scaled < 0 ? "-" : ""
    let whole = Int(abs(scaled)) / Int(factor)
    let rest = String(Int(abs(scaled)) % Int(factor))
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - rest.count))\(rest)"
}

/// Bytes with a unit that suits them.
public func amount(_ bytes: Double) -> String {
    if bytes < 1e3 { return "\(decimal(bytes, 0)) bytes" }
    if bytes < 1e6 { return "\(decimal(bytes / 1e3, bytes < 1e5 ? 1 : 0)) KB" }
    return "\(decimal(bytes / 1e6, bytes < 1e8 ? 1 : 0)) MB"
}
