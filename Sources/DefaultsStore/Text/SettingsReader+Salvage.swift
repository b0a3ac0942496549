/// Continues reading after damage, where the layout of the text says that a member begins.
///
/// Only a line that starts exactly as the first member's did, white space and all, is taken for a member of the outer
/// object; one that is indented further might belong to a value. A file without indentation ends at the damage.
extension SettingsReader {
    mutating func salvage() {
        keepPendingIfLineEnded()
        guard let first = firstStart, let indentation = indentation(before: first) else { return }
        while let start = nextStart(after: indentation) {
            scanner.position = start
            scanner.depth = 1
            goOn()
        }
    }

    /// Reads members up to the next damage, which is not reported: the first one is.
    private mutating func goOn() {
        var list = JSONScanner.List.restOfObject
        do {
            try readMembers(&list)
        } catch {
            keepPendingIfLineEnded()
        }
    }

    private func indentation(before start: Int) -> ArraySlice<UInt8>? {
        let blanks = bytes[..<start].reversed().prefix(while: \.isBlank).count
        let line = start - blanks
        guard blanks > 0, line > 0, bytes[line - 1].isLineEnd else { return nil }
        return bytes[line..<start]
    }

    /// Returns the next quote, from where reading gave up, that has a line end and the indentation before it.
    private func nextStart(after indentation: ArraySlice<UInt8>) -> Int? {
        var index = scanner.position
        while index < bytes.endIndex {
            let line = index - indentation.count
            if bytes[index] == UInt8(ascii: "\""), line > 0, bytes[line - 1].isLineEnd,
                bytes[line..<index] == indentation
            {
                return index
            }
            index += 1
        }
        return nil
    }
}
