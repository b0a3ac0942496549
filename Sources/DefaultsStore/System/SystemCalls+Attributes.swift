#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
#if os(Linux)
    import CTypedDefaults
#endif

/// What a file has beside its bytes and its mode, and who may read it depends on.
extension SystemCalls {
    /// Gives a new file another one's group, access control list, security label and users' attributes; the mode is
    /// the caller's to set.
    ///
    /// An access control list that the new file has from its folder goes, if the other one has none.
    static func carryAttributes(
        of file: borrowing Descriptor, _ status: FileStatus, to target: borrowing Descriptor
    ) throws(SystemError) {
        let (from, to) = (file.raw, target.raw)
        if try SystemCalls.status(of: target).group != status.group {
            _ = try check("fchown") { fchown(to, uid_t.max, gid_t(status.group)) }
        }
        #if os(Linux)
            let wanted = try attributes(of: from)
            for (name, value) in wanted where try attribute(name, of: to) != value {
                _ = try check("fsetxattr") { fsetxattr(to, name, value, value.count, 0) }
            }
            if !wanted.contains(where: { $0.name == accessList }), try attribute(accessList, of: to) != nil {
                _ = try check("fremovexattr") { fremovexattr(to, accessList) }
            }
        #elseif canImport(Darwin)
            _ = try check("fcopyfile") {
                fcopyfile(from, to, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR))
            }
        #endif
    }

    #if os(Linux)
        private static let accessList = "system.posix_acl_access"

        /// Returns the attributes that a file that takes this one's place has to have.
        private static func attributes(of file: Int32) throws(SystemError) -> [(name: String, value: [UInt8])]
        {
            var found: [(name: String, value: [UInt8])] = []
            guard let names = try bytes("flistxattr", { flistxattr(file, $0, $1) }) else { return [] }
            for name in names.split(separator: 0).map({ String(decoding: $0, as: UTF8.self) })
            where isCarried(name) {
                if let value = try attribute(name, of: file) { found.append((name, value)) }
            }
            return found
        }

        private static func isCarried(_ name: String) -> Bool {
            name == accessList || name == "security.selinux" || name.hasPrefix("security.SMACK64")
                || name.hasPrefix("user.")
        }

        /// Returns an attribute's value; nil if the file has none of that name.
        private static func attribute(_ name: String, of file: Int32) throws(SystemError) -> [UInt8]? {
            try bytes("fgetxattr") { fgetxattr(file, name, $0, $1) }
        }

        /// Returns what a call puts into a buffer, however large that has to be; nil if there is no such thing.
        private static func bytes(
            _ call: String, _ body: (UnsafeMutablePointer<CChar>?, Int) -> Int
        ) throws(SystemError) -> [UInt8]? {
            var buffer: [CChar] = []
            while true {
                do throws(SystemError) {
                    let size = try check(call) { body(nil, 0) }
                    buffer = [CChar](repeating: 0, count: size)
                    let count = size == 0 ? 0 : try check(call) { body(&buffer, size) }
                    return buffer.prefix(count).map { UInt8(bitPattern: $0) }
                } catch {
                    // It has grown in between.
                    if error.errno == ERANGE { continue }
                    if error.errno == ENODATA || error.errno == EOPNOTSUPP || error.errno == ENOSYS {
                        return nil
                    }
                    throw error
                }
            }
        }
    #endif
}
