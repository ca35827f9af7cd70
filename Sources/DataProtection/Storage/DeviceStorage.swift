/// The files that a device keeps beside its items.
package enum DeviceFile: String, CaseIterable, Sendable {
    /// Wrapped class keys (Documentation/Spec/keybag.md §2).
    case keybag = "keybag"

    /// The new keybag of a change of passcode in progress (keybag.md §2, "Changing").
    case nextKeybag = "keybag.next"

    /// The software secure element: UID key and attempt counter (keybag.md §4).
    case secureElement = "secure-element"

    /// The record of the lock epoch, rewritten in place (keybag.md §5).
    case lockEpoch = "lock-epoch"

    /// The default group of each program, recorded at its first use (store.md §7).
    case programs = "programs"

    /// The groups that a person shares with programs; only in a daemon's directory (grants.md).
    case grants = "grants"

    /// The keybag of a keychain that moved into a daemon, in place of `keybag` (adoption.md §2).
    case movedKeybag = "keybag.moved"

    /// The index of the file in arrays with one entry for each file.
    var index: Int {
        switch self {
        case .keybag: 0
        case .secureElement: 1
        case .lockEpoch: 2
        case .nextKeybag: 3
        case .programs: 4
        case .grants: 5
        case .movedKeybag: 6
        }
    }
}

/// The identity of a version of a file, known without reading it; equal means unchanged.
package struct StorageStamp: Sendable, Equatable {
    /// Device and inode; 0 and a counter for storage without inodes.
    var device: UInt64
    var inode: UInt64

    /// The times of the last change of content and of status, in nanoseconds.
    var contentTime: Int64 = 0
    var statusTime: Int64 = 0
}

/// The storage of a device's files: replaced atomically, and changed under one lock.
package protocol DeviceStorage: Sendable {
    /// Reads a whole file.
    ///
    /// - Returns: `nil` if there is no such file.
    func read(_ file: DeviceFile) throws(StorageError) -> [UInt8]?

    /// Replaces a file so that after a crash it contains either all old or all new bytes.
    ///
    /// The new bytes are durable on return.
    func replace(_ file: DeviceFile, with bytes: [UInt8]) throws(StorageError)

    /// Reads the first bytes of a file that is rewritten in place.
    ///
    /// It takes two system calls as long as the file has its name and that many bytes.
    ///
    /// - Returns: The number of bytes read; less than the size of the buffer, possibly 0, if the
    ///   file is shorter or missing.
    func read(_ file: DeviceFile, into buffer: UnsafeMutableRawBufferPointer) throws(StorageError)
        -> Int

    /// Makes the next read of files that are rewritten in place open them by name again.
    func reopen()

    /// Rewrites a file in place, durably; an existing file needs no free space on the disk.
    ///
    /// If the bytes cannot be written, the file is emptied or removed if possible, so that the old
    /// bytes are gone.
    /// - Throws: The system's error, if the old bytes are still there.
    func overwrite(_ file: DeviceFile, with bytes: UnsafeRawBufferPointer) throws(StorageError)

    /// Renames a durable file over another; the new name is durable, too.
    func rename(_ file: DeviceFile, to target: DeviceFile) throws(StorageError)

    /// Removes a file permanently; a missing file is not an error.
    func remove(_ file: DeviceFile) throws(StorageError)

    /// Removes the temporary files that a crash left, permanently.
    ///
    /// The caller holds the exclusive lock.
    func discardReplacements() throws(StorageError)

    /// Takes the turn to try a passcode, which ends with the value or with the process.
    ///
    /// - Returns: `nil` while another user of the same files has it.
    func takeAttemptTurn() throws(StorageError) -> (any AttemptTurn)?

    /// Returns the stamp of a file's present version; `nil` if there is no file.
    func stamp(of file: DeviceFile) throws(StorageError) -> StorageStamp?

    /// Runs a body while no other user of the same files runs one; calls must not nest.
    ///
    /// - Throws: `busy` after a bounded wait, `storage`, or the errors of `body`.
    func withExclusiveLock<R: Sendable>(
        _ body: () throws(DeviceError) -> R
    ) throws(DeviceError) -> R

    /// Returns the name of a file for messages.
    func path(of file: DeviceFile) -> String
}
