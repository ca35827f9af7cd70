/// The files a device keeps beside its items.
package enum DeviceFile: String, CaseIterable, Sendable {
    /// Wrapped class keys (Documentation/Spec/keybag.md §2).
    case keybag = "keybag"

    /// The keybag of a change of passcode under way (keybag.md §2, "Changing").
    case nextKeybag = "keybag.next"

    /// The software secure element: UID key and attempt counter (keybag.md §4).
    case secureElement = "secure-element"

    /// Which lock epoch it is, rewritten in place (keybag.md §5).
    case lockEpoch = "lock-epoch"

    /// Which default group each program has had from its first use on (store.md §7).
    case programs = "programs"

    /// Which groups a person shares with which programs; a daemon's directory only (grants.md).
    case grants = "grants"

    /// The keybag of a keychain that moved into a daemon, in place of `keybag` (adoption.md §2).
    case movedKeybag = "keybag.moved"

    /// The place of the file in tables that have one entry for each.
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

/// Tells one version of a file from the next without reading it; equal means unchanged.
package struct StorageStamp: Sendable, Equatable {
    /// Device and inode; where there are no inodes, 0 and a counter.
    var device: UInt64
    var inode: UInt64

    /// The times of the last change of content and of status, in nanoseconds.
    var contentTime: Int64 = 0
    var statusTime: Int64 = 0
}

/// Where a device's bytes live between processes: replaced atomically, changed under one lock.
package protocol DeviceStorage: Sendable {
    /// Reads a whole file.
    ///
    /// - Returns: `nil` if there is no such file.
    func read(_ file: DeviceFile) throws(StorageError) -> [UInt8]?

    /// Replaces a file so that after a crash it holds all the old bytes or all the new ones.
    ///
    /// When the call returns, the new bytes are durable.
    func replace(_ file: DeviceFile, with bytes: [UInt8]) throws(StorageError)

    /// Reads the first bytes of a file that is rewritten in place; two system calls while the
    /// file has them and its name.
    ///
    /// - Returns: How many bytes there were; fewer than the buffer has room for, also 0, if the
    ///   file is shorter or there is none.
    func read(_ file: DeviceFile, into buffer: UnsafeMutableRawBufferPointer) throws(StorageError)
        -> Int

    /// Has the next reading of files that are rewritten in place look at what has their name.
    func reopen()

    /// Rewrites a file in place, durably; needs no room on the disk once the file is there.
    ///
    /// If the bytes cannot be written, the file is emptied or removed where that can be done, so
    /// that the old bytes are gone.
    /// - Throws: What the system reports, if the old bytes are still there.
    func overwrite(_ file: DeviceFile, with bytes: UnsafeRawBufferPointer) throws(StorageError)

    /// Gives a durable file another's name, in whose place it is after a crash too.
    func rename(_ file: DeviceFile, to target: DeviceFile) throws(StorageError)

    /// Removes a file for good; one that is not there is no error.
    func remove(_ file: DeviceFile) throws(StorageError)

    /// Removes what a crash left of replacements that never took effect, for good; under the
    /// exclusive lock.
    func discardReplacements() throws(StorageError)

    /// Takes the turn to try a passcode; it ends with the value, and with the process.
    ///
    /// - Returns: `nil` while another user of the same files has it.
    func takeAttemptTurn() throws(StorageError) -> (any AttemptTurn)?

    /// Tells which version of a file is there; `nil` if there is none.
    func stamp(of file: DeviceFile) throws(StorageError) -> StorageStamp?

    /// Runs a body while no other user of the same files runs one; not to be nested.
    ///
    /// - Throws: `busy` after a bounded wait, `storage`, or what the body throws.
    func withExclusiveLock<R: Sendable>(
        _ body: () throws(DeviceError) -> R
    ) throws(DeviceError) -> R

    /// The name of a file in messages.
    func path(of file: DeviceFile) -> String
}
