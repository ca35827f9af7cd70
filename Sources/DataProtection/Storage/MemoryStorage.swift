import Synchronization

/// Device files in memory, for simulated devices that need no directory.
///
/// Two devices over one instance behave like two processes over one directory.
package final class MemoryStorage: DeviceStorage {
    private struct Entry {
        var bytes: [UInt8]
        var version: UInt64
    }

    private struct Files {
        var entries: [DeviceFile: Entry] = [:]
        var version: UInt64 = 0
    }

    private let files = Mutex(Files())
    private let exclusive = Mutex<Void>(())

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

    /// Forgets the bytes.
    package func remove(_ file: DeviceFile) {
        files.withLock { files in files.entries[file] = nil }
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
