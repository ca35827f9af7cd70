/// What did not work beside the purpose of a call: the call did what it was for.
package enum DeviceWarning: Sendable, Equatable {
    /// The session could not be handed to the user's other processes.
    case sessionNotShared(DeviceError)

    /// The keybag in force has the name of the next one; whoever opens the keychain renames it.
    case keybagNotRenamed(StorageError)

    /// A file that a crash left of an earlier write could not be removed.
    case replacementStays(StorageError)

    /// The keychain's directory took no record of the lock; the session was removed instead.
    case lockNotRecorded(StorageError)
}
