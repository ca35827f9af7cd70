import Secrets

/// One step of moving an account's keychain into a daemon, or out of it.
///
/// The client opens each file of the old directory and sends its bytes, so that the daemon needs no
/// right to read the account's files.
/// - Source: Documentation/Spec/adoption.md.
package enum MoveRequest: Sendable {
    /// Asks whether the daemon has the keychain with this keybag, and what replacing another
    /// requires.
    ///
    /// It changes nothing. The reply is `adopted`, `ready`, `needsPasscode` or `occupied`.
    case askAdoption(keybag: [UInt8])
    /// Begins an adoption of the keychain with this keybag, and removes the rest of an unfinished
    /// one.
    ///
    /// The passcode is that of the keychain to be replaced, unless that one was never touched. The
    /// reply is `adopted` if the daemon already has the keychain.
    case beginAdoption(keybag: [UInt8], passcode: SharedSecret? = nil)
    /// Sends the next bytes of a file of the old directory.
    case file(name: String, offset: UInt64, bytes: [UInt8])
    /// Opens the copy and verifies it completely; it is not in use yet.
    case checkAdoption
    /// Makes the verified copy the account's keychain.
    case finishAdoption
    /// Closes the account's keychain for its release; it answers nothing until the move ends.
    ///
    /// It requires the keychain's passcode, because the daemon no longer guards a released
    /// keychain.
    case beginRelease(passcode: SharedSecret)
    /// Returns the next bytes of a file of the keychain.
    case read(name: String, offset: UInt64)
    /// Confirms that the account has a complete copy; the daemon puts its own aside.
    case finishRelease
    /// Removes the keychain that an earlier move put aside.
    ///
    /// The passcode is that of the keychain in use, or of the one that was released last.
    case discard(passcode: SharedSecret?)
    /// Gives up the move; the previous keychain continues.
    case abandon
}

/// A daemon's reply to a step.
package enum MoveReply: Sendable {
    case ready
    /// The files to read.
    case files([MovedFile])
    case bytes([UInt8])
    /// The files of the copy, and the number of its items.
    case checked([MovedFile], itemCount: Int)
    /// The keychain is now the daemon's.
    ///
    /// `aside` is the directory of the keychain that an earlier move put aside; nil if there is
    /// none.
    case adopted(itemCount: Int, aside: String? = nil)
    /// The present keychain was used, so its passcode has to be proven.
    case needsPasscode
    /// The daemon has items of the account, which a move does not replace.
    case occupied(itemCount: Int)
    /// The daemon's copy was put aside, in this directory.
    case released(aside: String)
    /// The keychains put aside were removed from these directories.
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
