#if os(Linux)
    import CTypedDefaults

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Calls that no Swift module names.
    ///
    /// A kernel that does not know one answers `ENOSYS`.
    enum LinuxCalls {
        /// What `statx` has found.
        struct ExtendedStatus {
            /// Nil if the file system does not know all of it.
            var inode: Inode?
        }

        /// What `statx` is applied to.
        enum StatMode {
            /// Whatever has the name, even if it is a link.
            case name
            /// The descriptor that is given in place of a folder.
            case descriptor

            fileprivate var flags: Int32 {
                switch self {
                case .name: AT_SYMLINK_NOFOLLOW
                // `AT_EMPTY_PATH`, which the headers hide.
                case .descriptor: 0x1000
                }
            }
        }

        /// `statx` of a name in a folder.
        ///
        /// - Parameter asks: whether what the kernel remembers is not good enough.
        static func readExtendedStatus(
            _ folder: Int32, _ name: UnsafePointer<CChar>, _ mode: StatMode, _ found: inout ExtendedStatus,
            asks: Bool = false
        ) -> Int32 {
            // `STATX_TYPE`, `STATX_NLINK`, `STATX_UID`, `STATX_INO` and `STATX_SIZE`.
            let wanted: UInt32 = 0x30D
            // `struct statx` has this size, and these offsets, on every architecture.
            return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { room in
                guard let start = room.baseAddress else { return -1 }
                let result = typed_defaults_statx(
                    // `AT_STATX_FORCE_SYNC`, which the headers hide.
                    folder, name, mode.flags | (asks ? 0x2000 : 0), wanted, start)
                let known = start.load(as: UInt32.self)
                guard result == 0, known & wanted == wanted else { return result }
                found.inode = inode(at: start)
                return result
            }
        }

        private static func inode(at start: UnsafeMutableRawPointer) -> Inode {
            let (major, minor) = (
                UInt64(start.load(fromByteOffset: 136, as: UInt32.self)),
                UInt64(start.load(fromByteOffset: 140, as: UInt32.self))
            )
            return Inode(
                // Combined as `makedev` does, and as in `st_dev`.
                device: minor & 0xFF | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32,
                number: start.load(fromByteOffset: 32, as: UInt64.self),
                size: Int(truncatingIfNeeded: start.load(fromByteOffset: 40, as: UInt64.self)),
                owner: start.load(fromByteOffset: 20, as: UInt32.self),
                linkCount: Int(start.load(fromByteOffset: 16, as: UInt32.self)),
                isRegular: start.load(fromByteOffset: 28, as: UInt16.self) & 0o170000 == 0o100000)
        }
    }

    extension LinuxCalls {
        /// Whether whoever has started the program has fewer rights than it.
        static let isPrivileged = typed_defaults_is_privileged() != 0
    }

    extension LinuxCalls {
        /// `eventfd` with `EFD_CLOEXEC` and `EFD_NONBLOCK`.
        static func makeEventFD() -> Int32 { typed_defaults_eventfd() }
    }
#endif
