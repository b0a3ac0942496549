/// What stands for a secret where it is printed: `(secret)`.
package struct HiddenValue: Hashable, Sendable, CustomStringConvertible {
    package var description: String { "(secret)" }

    /// Returns a value to be printed, or what stands for it.
    package static func unless(_ mayBePrinted: Bool, _ value: Any) -> Any {
        mayBePrinted ? value : HiddenValue()
    }
}
