/// The note in the lock file that says which text of the settings file some process has read to its end.
///
/// Verifying that a text is that one takes a hundredth of the time of parsing it. The note is never synced: power
/// loss may take it back, or leave a note about a text that is no longer there, which costs one parse.
enum CheckedText {
    /// Parsed to its end unless that has been done before.
    static func read(_ bytes: [UInt8], _ files: SuiteFiles) -> (document: SettingsDocument, fault: JSONFault?)
    {
        guard bytes.count >= SettingsDocument.searchableLength, let page = files.page else {
            return SettingsDocument.read(file: bytes)
        }
        let fingerprint = TextFingerprint(of: bytes)
        if LockFile.isKnown(page), page.checkedText == fingerprint {
            return (SettingsDocument(checked: bytes), nil)
        }
        let read = SettingsDocument.read(file: bytes)
        record(read.document, fingerprint, files)
        return read
    }

    static func record(_ document: SettingsDocument, _ files: SuiteFiles) {
        guard document.bytes.count >= SettingsDocument.searchableLength, files.page != nil else { return }
        record(document, TextFingerprint(of: document.bytes), files)
    }

    private static func record(
        _ document: SettingsDocument, _ fingerprint: TextFingerprint, _ files: SuiteFiles
    ) {
        guard files.lock != nil, document.isSearchable else { return }
        files.record(checked: fingerprint)
    }
}
