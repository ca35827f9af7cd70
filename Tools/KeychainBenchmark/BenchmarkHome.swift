import Foundation
import Glibc
import KeychainBenchmarkFloor
import KeychainHost
import KeychainModel

/// The directories of a run: a keychain and a floor for each number of items.
struct BenchmarkHome {
    let directory: String
    private let isTemporary: Bool

    init(_ named: String?) throws {
        isTemporary = named == nil
        directory = named ?? "/tmp/keychain-benchmark-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        Environment.useNoDaemon()
        unsetenv("KEYCHAIN_ENTITLEMENTS")
        setenv("XDG_RUNTIME_DIR", directory, 1)
    }

    /// Removes the files of the run, unless the user chose the directory.
    func leave() {
        guard isTemporary else { return }
        // A directory that cannot be removed does no harm.
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Makes a keychain with exactly this many items, which this process then uses, and its floor.
    ///
    /// In a directory that the user chose, it uses the keychain of an earlier run.
    func enter(items count: Int, tellingProgress: Bool = true) throws -> Floor {
        let place = directory + "/\(count)"
        setenv("KEYCHAIN_HOME", place + "/keychain", 1)
        let marker = place + "/filled"
        try FileManager.default.createDirectory(
            atPath: place,
            withIntermediateDirectories: true
        )
        let isFilled = FileManager.default.fileExists(atPath: marker)
        let floor = try Floor(path: place + "/floor.db")
        guard !isFilled else { return floor }
        let start = Date.now
        try Self.fill(count)
        try floor.fill(count)
        try Data().write(to: URL(filePath: marker))
        if tellingProgress {
            let seconds = String(format: "%.1f", Date.now.timeIntervalSince(start))
            Output.tell("made a keychain of \(count) items and its floor in \(seconds) s")
        }
        return floor
    }

    /// The number of items that fit into one message.
    static let daemonBatch = 500

    /// A batch this large makes the keychain write its index pages a few times, not hundreds of
    /// times.
    private static let batch = 50_000

    /// Adds many items in one transaction, by direct calls of the engine.
    static func fill(_ count: Int, batch: Int = batch) throws {
        let endpoint = try RequestRouter.endpoint()
        for start in stride(from: 0, to: count, by: batch) {
            let numbers = start..<min(start + batch, count)
            let requests = numbers.map { SampleItem(number: $0).request }
            _ = try endpoint.send(.addAll(requests, duplicates: .refused))
        }
    }
}

/// The floor for one keychain.
final class Floor {
    private let handle: OpaquePointer

    init(path: String) throws {
        guard let opened = floor_open(path) else { throw BenchmarkError("cannot open \(path)") }
        handle = opened
    }

    deinit { floor_close(handle) }

    func fill(_ count: Int) throws {
        guard floor_fill(handle, 0, UInt64(count)) == 1 else {
            throw BenchmarkError("cannot fill the floor")
        }
    }

    func find(_ number: Int) throws {
        guard floor_find(handle, UInt64(number)) == 1 else {
            throw BenchmarkError("the floor has lost value \(number)")
        }
    }

    func findAll(_ numbers: Range<Int>) throws {
        let wanted = numbers.map { UInt64($0) }
        guard floor_find_all(handle, wanted, Int32(wanted.count)) == wanted.count else {
            throw BenchmarkError("the floor has lost values")
        }
    }

    func insert(_ number: Int) throws {
        guard floor_insert(handle, UInt64(number)) == 1 else {
            throw BenchmarkError("the floor cannot insert value \(number)")
        }
    }

    /// Replaces a value, and leaves no trace of the old one in any file.
    func replace(_ number: Int) throws {
        guard floor_replace(handle, UInt64(number)) == 1 else {
            throw BenchmarkError("the floor cannot replace value \(number)")
        }
    }
}
