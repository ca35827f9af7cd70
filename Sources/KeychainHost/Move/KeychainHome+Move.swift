import DataProtection
import Glibc

// The names beside a keychain's directory while it moves.
//
// Source: Documentation/Spec/adoption.md §2.
extension KeychainHome {
    /// The file that says that the keychain is in a daemon.
    var inDaemonMark: String { directory + ".in-daemon" }
    /// Where the directory goes when the daemon has the keychain.
    var beforeDaemon: String { directory + ".before-daemon" }
    /// A copy that comes from a daemon: unfinished, and complete.
    var unfinishedReturn: String { directory + ".returning" }
    var completeReturn: String { directory + ".released" }
    var movedKeybag: String { directory + "/" + DeviceFile.movedKeybag.rawValue }

    /// Whether the keychain has moved into a daemon, or is about to, or is not out of it yet.
    var isInDaemon: Bool {
        [inDaemonMark, movedKeybag, completeReturn].contains(where: MoveFolder.isPresent)
    }
}

/// The files of a keychain that move; every other one is made anew or stays.
package enum MovingFile {
    /// The database last: it is the large one.
    package static let names = ["keybag", "secure-element", "keychain.db"]

    /// The most bytes of a message.
    package static let portionByteCount = 1 << 19

    /// The most bytes of a file that a daemon takes.
    package static func byteCountLimit(of name: String) -> UInt64 {
        name == "keychain.db" ? 1 << 33 : 1 << 16
    }
}
