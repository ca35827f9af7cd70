import Secrets

/// One step of moving an account's keychain into a daemon, or out of it.
///
/// The client opens each file of the old directory and hands its bytes over, so that the daemon
/// needs no right to read the account's files.
/// - Source: Documentation/Spec/adoption.md.
package enum MoveRequest: Sendable {
    /// Asks whether the daemon has the keychain whose keybag has this name, and what it takes to
    /// put it in the place of another; changes nothing.
    ///
    /// The reply is `adopted`, `ready`, `needsPasscode` or `occupied`.
    case askAdoption(keybag: [UInt8])
    /// Begins an adoption, of the keychain whose keybag has this name; what an earlier one left
    /// unfinished is removed.
    ///
    /// The passcode is that of the keychain that it replaces, unless that was never touched. The
    /// reply is `adopted` if the daemon has that very keychain already.
    case beginAdoption(keybag: [UInt8], passcode: SharedSecret? = nil)
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
    /// Removes the keychain that an earlier move put aside.
    ///
    /// The passcode is that of the keychain in use, or of the one that was released last.
    case discard(passcode: SharedSecret?)
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
    ///
    /// The directory is that of the keychain that an earlier move put aside; nil if there is none.
    case adopted(itemCount: Int, aside: String? = nil)
    /// The keychain that is there was used: its passcode has to be proven.
    case needsPasscode
    /// The daemon has items of the account, which nothing replaces.
    case occupied(itemCount: Int)
    /// The daemon's copy is aside, in this directory.
    case released(aside: String)
    /// What was aside is gone; the directories that it had.
    case discarded([String])
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
