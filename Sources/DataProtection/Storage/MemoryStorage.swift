import Synchronization

/// Device files in memory, for simulated devices without a directory.
///
/// Two devices with one instance behave like two processes with one directory.
package final class MemoryStorage: DeviceStorage {
    private struct Entry {
        var bytes: [UInt8]
        var version: UInt64

        mutating func overwrite(_ new: UnsafeRawBufferPointer, _ version: UInt64) {
            if bytes.count == new.count {
                bytes.withUnsafeMutableBytes { $0.copyMemory(from: new) }
            } else {
                bytes.wipe()
                bytes = [UInt8](new)
            }
            self.version = version
        }
    }

    private struct Files {
        var entries: [DeviceFile: Entry] = [:]
        var version: UInt64 = 0
    }

    private let files = Mutex(Files())
    private let exclusive = Mutex<Void>(())
    fileprivate let isTurnTaken = Atomic(false)

    /// Creates a storage without files.
    package init() {}

    /// Returns the bytes last written, or `nil`.
    package func read(_ file: DeviceFile) -> [UInt8]? {
        files.withLock { files in files.entries[file]?.bytes }
    }

    /// Stores the bytes.
    package func replace(_ file: DeviceFile, with bytes: [UInt8]) {
        files.withLock { files in
            files.version += 1
            files.entries[file] = Entry(bytes: bytes, version: files.version)
        }
    }

    /// Copies the bytes last written, as far as the buffer has room for them.
    package func read(_ file: DeviceFile, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        files.withLock { files in
            guard let bytes = files.entries[file]?.bytes else { return 0 }
            buffer.copyBytes(from: bytes.prefix(buffer.count))
            return min(bytes.count, buffer.count)
        }
    }

    /// Does nothing: a name always leads to the present bytes.
    package func reopen() {}

    /// Stores the bytes in place of the present ones, which are wiped.
    package func overwrite(_ file: DeviceFile, with bytes: UnsafeRawBufferPointer) {
        files.withLock { files in
            files.version += 1
            let version = files.version
            files.entries[file, default: Entry(bytes: [], version: 0)].overwrite(bytes, version)
        }
    }

    /// Moves the bytes to another name.
    package func rename(_ file: DeviceFile, to target: DeviceFile) {
        files.withLock { files in files.entries[target] = files.entries.removeValue(forKey: file) }
    }

    /// Forgets the bytes.
    package func remove(_ file: DeviceFile) {
        files.withLock { files in files.entries[file] = nil }
    }

    /// Does nothing: a replacement takes one step here.
    package func discardReplacements() {}

    /// Takes the turn among threads.
    package func takeAttemptTurn() -> (any AttemptTurn)? {
        isTurnTaken.exchange(true, ordering: .acquiring) ? nil : MemoryTurn(self)
    }

    /// Returns a stamp that counts the replacements.
    package func stamp(of file: DeviceFile) -> StorageStamp? {
        files.withLock { files in
            files.entries[file].map { StorageStamp(device: 0, inode: $0.version) }
        }
    }

    /// Runs `body` while no other thread runs one; the wait has no limit.
    package func withExclusiveLock<R: Sendable>(
        _ body: () throws(DeviceError) -> R
    ) throws(DeviceError) -> R {
        try exclusive.withLock { _ throws(DeviceError) in try body() }
    }

    /// Returns the file's name with the prefix `memory:`.
    package func path(of file: DeviceFile) -> String { "memory:" + file.rawValue }
}

private final class MemoryTurn: AttemptTurn {
    private let storage: MemoryStorage

    init(_ storage: MemoryStorage) { self.storage = storage }

    deinit { storage.isTurnTaken.store(false, ordering: .releasing) }
}
