import Secrets

/// One step of moving an account's keychain into a daemon, or out of it.
///
/// The client opens each file of the old directory and hands its bytes over, so that the daemon
/// needs no right to read the account's files.
/// - Source: Documentation/Spec/adoption.md.
package enum MoveRequest: Sendable {
    /// Begins an adoption, of the keychain whose keybag has this name; what an earlier one left
    /// unfinished is removed.
    ///
    /// The reply is `adopted` if the daemon has that very keychain already.
    case beginAdoption(keybag: [UInt8])
    /// The next bytes of a file of the old directory.
    case file(name: String, offset: UInt64, bytes: [UInt8])
    /// Opens the copy and checks it whole; it is not in use yet.
    case checkAdoption
    /// Makes the checked copy the account's keychain.
    case finishAdoption
    /// Closes the account's keychain for its release; it answers nothing until the end.
    ///
    /// Only for the keychain's passcode: what leaves the daemon is no longer guarded by it.
    case beginRelease(passcode: SharedSecret)
    /// The next bytes of a file of the keychain.
    case read(name: String, offset: UInt64)
    /// The account has a complete copy: the daemon's goes aside.
    case finishRelease
    /// Gives up; what was there before goes on.
    case abandon
}

/// What a daemon answers to a step.
package enum MoveReply: Sendable {
    case ready
    /// Files to read.
    case files([MovedFile])
    case bytes([UInt8])
    /// The files of the copy, and how many items it has.
    case checked([MovedFile], itemCount: Int)
    /// The keychain is the daemon's now, with so many items.
    case adopted(itemCount: Int)
    /// The daemon's copy is aside, in this directory.
    case released(aside: String)
}

/// A file of a keychain that moves.
package struct MovedFile: Sendable, Hashable {
    package let name: String
    package let byteCount: UInt64
    /// SHA-256 of the content.
    package let digest: [UInt8]

    package init(name: String, byteCount: UInt64, digest: [UInt8]) {
        self.name = name
        self.byteCount = byteCount
        self.digest = digest
    }
}
