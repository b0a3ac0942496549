/// An argument of a test that is too long to be read in a log: its description is its beginning.
///
/// The log names each argument of each test, four characters for a byte. Some of what reads a log takes no line of
/// megabytes.
package struct Abridged<Content: Collection & Sendable>: Sendable, CustomStringConvertible {
    package let content: Content

    package init(_ content: Content) {
        self.content = content
    }

    package var description: String {
        let begin = Array(content.prefix(16))
        return content.count > begin.count ? "\(content.count) elements, \(begin) first" : "\(content)"
    }
}
