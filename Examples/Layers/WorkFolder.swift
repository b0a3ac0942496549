#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder of the example's own, taken away at the end.
struct WorkFolder: Sendable {
    let path: String

    struct Failure: Error {
        let call: String
    }

    init() throws {
        var template = Array("/tmp/typed-defaults-layers.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(call: "mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Saves a file as careful editors do: another one beside it, then its name for that.
    func write(_ text: String, to name: String) throws {
        let fresh = path + "/" + name + ".new"
        guard let file = fopen(fresh, "w") else { throw Failure(call: "fopen") }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten, rename(fresh, path + "/" + name) == 0 else {
            throw Failure(call: "rename")
        }
    }

    /// Takes the folder and all that is in it away.
    func remove() {
        empty(path + "/player")
        empty(path)
    }

    private func empty(_ folder: String) {
        guard let entries = opendir(folder) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            unlink(folder + "/" + name)
        }
        closedir(entries)
        rmdir(folder)
    }
}
