import DataProtection
import Glibc

// The names beside a keychain's directory during a move.
//
// Source: Documentation/Spec/adoption.md §2.
extension KeychainHome {
    /// The file that marks a keychain in a daemon.
    var inDaemonMark: String { directory + ".in-daemon" }
    /// The new place of the directory when the daemon has the keychain.
    var beforeDaemon: String { directory + ".before-daemon" }
    /// The copy from a daemon, unfinished and complete.
    var unfinishedReturn: String { directory + ".returning" }
    var completeReturn: String { directory + ".released" }
    var movedKeybag: String { directory + "/" + DeviceFile.movedKeybag.rawValue }

    /// Whether the keychain is in a daemon, or moving into it or out of it.
    var isInDaemon: Bool {
        [inDaemonMark, movedKeybag, completeReturn].contains(where: MoveFolder.isPresent)
    }
}

/// The files of a keychain that move; all others are created again or stay.
package enum MovingFile {
    /// The names, with the large database last.
    package static let names = ["keybag", "secure-element", "keychain.db"]

    /// The most bytes of a message.
    package static let portionByteCount = 1 << 19

    /// Returns the size limit of a file that a daemon accepts.
    package static func byteCountLimit(of name: String) -> UInt64 {
        name == "keychain.db" ? 1 << 33 : 1 << 16
    }
}
