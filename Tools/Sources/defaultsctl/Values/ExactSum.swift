import DefaultsStore

/// Adds numbers as they are written: 0.1 and 0.2 are 0.3.
enum ExactSum {
    /// The sum; nil where it has too many digits for exact arithmetic.
    static func of(_ left: DefaultsNumber, _ right: DefaultsNumber) -> DefaultsNumber? {
        guard let left = Decimal(left.text), let right = Decimal(right.text) else { return nil }
        let scale = max(left.scale, right.scale)
        guard let one = left.units(at: scale), let other = right.units(at: scale) else { return nil }
        let (sum, isTooLarge) = one.addingReportingOverflow(other)
        return isTooLarge ? nil : DefaultsNumber(Decimal.text(sum, scale))
    }

    /// A number as so many units of a power of ten.
    private struct Decimal {
        let units: Int128
        /// How many digits stand behind the point.
        let scale: Int

        init?(_ text: String) {
            let parts = text.lowercased().split(separator: "e")
            let exponent = parts.count > 1 ? Int(parts[1]) : 0
            let digits = parts[0].split(separator: ".")
            let fraction = digits.count > 1 ? String(digits[1]) : ""
            // Not by its magnitude, which the least integer does not have.
            guard let exponent, (-39...39).contains(exponent),
                let units = Int128(String(digits[0]) + fraction)
            else { return nil }
            let scale = fraction.count - exponent
            if scale >= 0 {
                self.units = units
                self.scale = scale
            } else {
                guard let larger = Decimal.times(units, powerOfTen: -scale) else { return nil }
                self.units = larger
                self.scale = 0
            }
        }

        func units(at scale: Int) -> Int128? { Decimal.times(units, powerOfTen: scale - self.scale) }

        static func times(_ number: Int128, powerOfTen power: Int) -> Int128? {
            var result = number
            for _ in 0..<power {
                let (next, isTooLarge) = result.multipliedReportingOverflow(by: 10)
                guard !isTooLarge else { return nil }
                result = next
            }
            return result
        }

        static func text(_ units: Int128, _ scale: Int) -> String {
            guard scale > 0 else { return String(units) }
            var digits = String(units.magnitude)
            digits = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
            let whole = digits.dropLast(scale)
            var fraction = digits.suffix(scale)
            while fraction.last == "0" { fraction.removeLast() }
            return (units < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
        }
    }
}
