/// What a machine must offer for a fault to be brought about; a test says by name what it misses.
import Foundation
import TestSupport
import Libc
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs where strace may take hold of another process.
    static var strace: ConditionTrait {
        .enabled(if: Machine.hasStrace, "strace is not installed, or may not attach to a process")
    }

    /// Runs where the tests may mount, and become another user.
    static var root: ConditionTrait { .enabled(if: geteuid() == 0, "only root may do this") }

    /// Runs where the tests may mount a file system.
    static var mounting: ConditionTrait {
        .enabled(if: Machine.canMount, "file systems cannot be mounted here")
    }

    /// Runs where a file system of a kind can be made, mounted and cut off.
    static func powerLoss(on kind: DiskImage.Kind) -> ConditionTrait {
        .enabled(
            if: Machine.losesPower[kind] ?? false,
            "\(kind) cannot be made in a file, mounted and shut down here")
    }
}

private enum Machine {
    /// Tried on a process that does nothing, since a container may forbid what root may do elsewhere.
    static let hasStrace = answers(
        "sleep 60 & strace -o /dev/null -p $! 2>&1 | (read line; kill -9 $!; echo \"$line\" | grep attached)")

    static let canMount =
        geteuid() == 0
        && answers("d=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d && rmdir $d")

    /// Whether a disk of each kind does what the tests ask of it.
    static let losesPower = Dictionary(
        uniqueKeysWithValues: DiskImage.Kind.allCases.map { ($0, geteuid() == 0 && losesPower($0)) })

    private static func losesPower(_ kind: DiskImage.Kind) -> Bool {
        do {
            let disk = try DiskImage(kind)
            try disk.losePower(.withoutLog)
            try disk.mountAgain()
            return true
        } catch { return false }
    }

    private static func answers(_ script: String) -> Bool {
        do { return try Tool.run("sh", ["-c", script]).status == 0 } catch { return false }
    }
}
