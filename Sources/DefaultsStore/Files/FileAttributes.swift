/// F22: what a file that takes another's place has of it: the mode, the group, the access control list, the security label
/// and users' attributes; those who might read the one may read the other, and nobody else.
struct FileAttributes: ~Copyable, Sendable {
    private let model: RegularFile.Opened?

    /// The file to be replaced; nil if there is none.
    var status: FileStatus? {
        switch model {
        case .some(let model): model.status
        case .none: nil
        }
    }

    /// Takes the attributes of a named file; without one, those of a file for its owner alone.
    init(of name: String, in folder: borrowing Descriptor, _ path: String) throws(DefaultsError) {
        model = try RegularFile.open(name, in: folder, path)
    }

    init(of opened: consuming RegularFile.Opened?) { model = opened }

    /// Takes the attributes of the settings file.
    ///
    /// - Throws: `.readOnly` if its owner has made it read-only.
    static func ofSettings(_ files: SuiteFiles) throws(DefaultsError) -> FileAttributes {
        let attributes = try FileAttributes(
            of: files.location.settings, in: files.folder, files.location.path)
        if let status = attributes.status { try SettingsFile.refuseReadOnly(status, files) }
        return attributes
    }

    /// Makes a new file, which nobody else can open yet, like the other one.
    ///
    /// - Returns: the refusal, if something could not be carried over: then the file is its owner's alone.
    func give(to file: borrowing Descriptor) throws(SystemError) -> SystemError? {
        switch model {
        case .none:
            try setMode(0o600, of: file)
            return nil
        case .some(let model):
            var refusal: SystemError?
            do { try SystemCalls.copyAttributes(of: model.file, model.status, to: file) } catch {
                refusal = error
            }
            // The mode comes last: until then nobody else may open the file, whatever list it has been given.
            try setMode(model.status.permissions & (refusal == nil ? 0o666 : 0o600), of: file)
            return refusal
        }
    }

    /// Gives a new file its mode, if it does not have it already, as most do: the kernel wakes all who watch the folder for
    /// it, even of a file without a name.
    private func setMode(_ mode: UInt32, of file: borrowing Descriptor) throws(SystemError) {
        guard try SystemCalls.status(of: file).permissions != mode else { return }
        try SystemCalls.setMode(mode, of: file)
    }
}

extension DefaultsError {
    /// Reports a file that lacks attributes of the one it replaces.
    static func unlike(_ path: String, _ refusal: SystemError) -> DefaultsError {
        DefaultsError(
            .ioFailure, path: path, systemError: refusal,
            underlyingDescription:
                "the new file could not be given the group, access control list, label or attributes "
                + "of the one before, so only its owner may read it now")
    }
}
