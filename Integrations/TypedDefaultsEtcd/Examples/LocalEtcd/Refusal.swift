/// Why an example or a measurement ends early.
package struct Refusal: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
