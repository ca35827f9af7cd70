import Synchronization

/// Device files in memory, for simulated devices that need no directory.
///
/// Two devices over one instance behave like two processes over one directory.
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

    /// Starts with no files.
    package init() {}

    /// Returns the bytes last written, or `nil`.
    package func read(_ file: DeviceFile) -> [UInt8]? {
        files.withLock { files in files.entries[file]?.bytes }
    }

    /// Keeps the bytes.
    package func replace(_ file: DeviceFile, with bytes: [UInt8]) {
        files.withLock { files in
            files.version += 1
            files.entries[file] = Entry(bytes: bytes, version: files.version)
        }
    }

    /// Copies the bytes last written, as far as there is room for them.
    package func read(_ file: DeviceFile, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        files.withLock { files in
            guard let bytes = files.entries[file]?.bytes else { return 0 }
            buffer.copyBytes(from: bytes.prefix(buffer.count))
            return min(bytes.count, buffer.count)
        }
    }

    /// Does nothing: a name leads to its bytes.
    package func reopen() {}

    /// Keeps the bytes in place of those that were there, which are wiped.
    package func overwrite(_ file: DeviceFile, with bytes: UnsafeRawBufferPointer) {
        files.withLock { files in
            files.version += 1
            let version = files.version
            files.entries[file, default: Entry(bytes: [], version: 0)].overwrite(bytes, version)
        }
    }

    /// Moves the bytes.
    package func rename(_ file: DeviceFile, to target: DeviceFile) {
        files.withLock { files in files.entries[target] = files.entries.removeValue(forKey: file) }
    }

    /// Forgets the bytes.
    package func remove(_ file: DeviceFile) {
        files.withLock { files in files.entries[file] = nil }
    }

    /// Does nothing: a replacement is one step.
    package func discardReplacements() {}

    /// Takes the turn among threads.
    package func takeAttemptTurn() -> (any AttemptTurn)? {
        isTurnTaken.exchange(true, ordering: .acquiring) ? nil : MemoryTurn(self)
    }

    /// Counts the replacements.
    package func stamp(of file: DeviceFile) -> StorageStamp? {
        files.withLock { files in
            files.entries[file].map { StorageStamp(device: 0, inode: $0.version) }
        }
    }

    /// Runs the body alone among threads; the wait is not bounded.
    package func withExclusiveLock<R: Sendable>(
        _ body: () throws(DeviceError) -> R
    ) throws(DeviceError) -> R {
        try exclusive.withLock { _ throws(DeviceError) in try body() }
    }

    /// The file's name with no directory before it.
    package func path(of file: DeviceFile) -> String { "memory:" + file.rawValue }
}

private final class MemoryTurn: AttemptTurn {
    private let storage: MemoryStorage

    init(_ storage: MemoryStorage) { self.storage = storage }

    deinit { storage.isTurnTaken.store(false, ordering: .releasing) }
}
