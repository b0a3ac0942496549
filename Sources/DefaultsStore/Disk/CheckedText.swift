/// Which text of the settings file was read to its end before, whoever did so: the lock file says.
///
/// To make sure that a text is the one takes a hundredth of the time that reading it takes. The note is never waited for;
/// power loss may take it back, or leave one of a text that is not there any more, which costs a reading.
enum CheckedText {
    /// The document of a settings file's text, read to its end unless that was done before.
    static func read(_ bytes: [UInt8], _ files: SuiteFiles) -> (document: SettingsDocument, fault: JSONFault?)
    {
        guard bytes.count >= SettingsDocument.searchableLength, let page = files.page else {
            return SettingsDocument.read(bytes)
        }
        let fingerprint = TextFingerprint(of: bytes)
        if LockFile.isKnown(page), page.checkedText == fingerprint {
            return (SettingsDocument(checked: bytes), nil)
        }
        let read = SettingsDocument.read(bytes)
        note(read.document, fingerprint, files)
        return read
    }

    /// Notes that a document has been read to its end.
    static func note(_ document: SettingsDocument, _ files: SuiteFiles) {
        guard document.bytes.count >= SettingsDocument.searchableLength, files.page != nil else { return }
        note(document, TextFingerprint(of: document.bytes), files)
    }

    private static func note(
        _ document: SettingsDocument, _ fingerprint: TextFingerprint, _ files: SuiteFiles
    ) {
        guard files.lock != nil, document.isSearchable else { return }
        files.note(checked: fingerprint)
    }
}
