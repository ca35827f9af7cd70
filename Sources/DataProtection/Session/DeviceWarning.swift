/// A fault outside the purpose of a call, which itself succeeded.
package enum DeviceWarning: Sendable, Equatable {
    /// The session could not be shared with the user's other processes.
    case sessionNotShared(DeviceError)

    /// The keybag in force still has the name of the next one; the next opening renames it.
    case keybagNotRenamed(StorageError)

    /// A temporary file that a crash left could not be removed.
    case replacementStays(StorageError)

    /// The lock could not be recorded in the keychain's directory; the session was removed instead.
    case lockNotRecorded(StorageError)
}
