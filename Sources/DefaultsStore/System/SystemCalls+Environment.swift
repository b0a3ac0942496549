#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    // Preconcurrency, because musl's list of variables is a plain global, which is only read here.
    @preconcurrency import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The whole environment of the process.
extension SystemCalls {
    /// All variables as they are now; an entry without a `=` is left out.
    ///
    /// As with `getenv`, no other thread may change the environment meanwhile.
    static var environment: [String: String] {
        #if canImport(Darwin)
            let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = _NSGetEnviron().pointee
        #else
            let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        #endif
        guard var entry = list else { return [:] }
        var variables: [String: String] = [:]
        while let text = entry.pointee {
            let whole = String(cString: text)
            // By its byte: together with a combining mark after it, the sign is another character to Swift.
            if let sign = whole.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(whole[..<sign])] = String(whole[whole.utf8.index(after: sign)...])
            }
            entry += 1
        }
        return variables
    }
}
