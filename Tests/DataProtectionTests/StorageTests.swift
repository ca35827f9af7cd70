import Foundation
import Glibc
import TestSupport
import Testing

@testable import DataProtection

/// A directory of one test, removed with it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/device-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try setMode(0o700, of: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}

extension Data {
    fileprivate func append(to path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: self)
        try handle.close()
    }
}

private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

@Suite struct `A device directory` {
    private let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    @Test func `is made with its parents and kept to its owner`() throws {
        let path = temporary.path + "/a/b"
        _ = try openDevice(try DirectoryStorage(path: path), creatingWith: passcode("1234"))
        #expect(try mode(of: temporary.path + "/a") == 0o700)
        #expect(try mode(of: path) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(names == ["keybag", "lock", "lock-epoch", "secure-element"])
        let modes = try names.map { try mode(of: path + "/" + $0) }
        #expect(modes == [0o600, 0o600, 0o600, 0o600])
    }

    @Test(.requirement("LCK-07"), arguments: DeviceFile.allCases)
    func `loses what a crash left of a file when the device is opened`(file: DeviceFile) throws {
        let storage = try DirectoryStorage(path: temporary.path)
        _ = try openDevice(storage, creatingWith: passcode("1234"))
        let names = { try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() }
        let before = try names()
        let left = temporary.path + "/" + file.rawValue + ".new"
        try Data([1, 2, 3]).write(to: URL(filePath: left))
        _ = try openDevice(storage)
        #expect(try names() == before)
    }

    @Test(.requirement("LCK-06"))
    func `is opened, with a warning, where what a crash left cannot be removed`() throws {
        let storage = FailingStorage(MemoryStorage(), allowingWrites: 10)
        storage.keepsLeftovers.withLock { $0 = true }
        var device = try openDevice(storage, creatingWith: passcode("1234"))
        let warnings = device.takeWarnings()
        #expect(warnings.count == 1)
        guard case .replacementStays? = warnings.first else {
            Issue.record("another warning")
            return
        }
    }

    @Test(.requirement("SIM-09"), .timeLimit(.minutes(10)))
    func `gives the turn to try a passcode to one process at a time, and not to a killed one`()
        throws
    {
        let storage = try DirectoryStorage(path: temporary.path)
        let script = "exec 9<\"$1\" && flock 9 && echo taken && exec sleep 600"
        let process = try TestProgram(["/bin/sh", "-c", script, "sh", temporary.path]).start()
        try process.hear(until: "taken\n")
        #expect(try storage.takeAttemptTurn() == nil)
        #expect(storage.attemptTurn(waiting: .zero) == nil)
        try process.end(SIGKILL)
        let turn = try #require(try storage.takeAttemptTurn())
        #expect(try storage.takeAttemptTurn() == nil)
        withExtendedLifetime(turn) {}
    }

    /// A child has a copy of every descriptor until it runs its program.
    @Test func `takes the turn back although a program starts meanwhile`() throws {
        let storage = try DirectoryStorage(path: temporary.path)
        var copies: [Int32] = []
        defer { copies.forEach { close($0) } }
        let path = URL(filePath: temporary.path).resolvingSymlinksInPath().path
        do {
            let turn = try #require(try storage.takeAttemptTurn())
            let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            copies = numbers.compactMap { number in
                let place = "/proc/self/fd/" + number
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place)
                guard target == path, let number = Int32(number) else { return nil }
                return fcntl(number, F_DUPFD_CLOEXEC, 3)
            }
            withExtendedLifetime(turn) {}
        }
        #expect(!copies.isEmpty)
        #expect(try storage.takeAttemptTurn() != nil)
    }

    @Test(.requirement("SIM-09"))
    func `has one turn to try a passcode, which ends with its holder`() throws {
        let storages: [any DeviceStorage] = [
            try DirectoryStorage(path: temporary.path), MemoryStorage(),
        ]
        for storage in storages {
            do {
                let turn = try #require(try storage.takeAttemptTurn())
                #expect(try storage.takeAttemptTurn() == nil)
                withExtendedLifetime(turn) {}
            }
            #expect(try storage.takeAttemptTurn() != nil)
        }
    }

    @Test func `keeps the device across processes`() throws {
        var first = try openDevice(
            try DirectoryStorage(path: temporary.path),
            creatingWith: passcode("1234")
        )
        _ = try first.unlock(passcode: passcode("1234").secret, at: instant(1))
        var second = try openDevice(try DirectoryStorage(path: temporary.path))
        #expect(second.keybagUUID == first.keybagUUID)
        _ = try second.removePasscode(current: passcode("1234").secret, at: instant(2))
        _ = try first.follow(at: instant(3))
        #expect(first.isPasscodeSet == false)
    }

    @Test func `makes one device when openers race`() async throws {
        let path = temporary.path
        let names = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for seed in 1...8 {
                group.addTask {
                    try openDevice(try DirectoryStorage(path: path), seed: UInt64(seed)).keybagUUID
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(names.count == 1)
    }

    @Test(arguments: [0o750, 0o705, 0o777])
    func `is refused when others may reach it`(mode: Int) throws {
        try setMode(mode, of: temporary.path)
        #expect(throws: StorageError.exposed(path: temporary.path, mode: UInt32(mode))) {
            try DirectoryStorage(path: temporary.path)
        }
    }

    @Test(arguments: DeviceFile.allCases)
    func `is refused when others may read a file in it`(file: DeviceFile) throws {
        let storage = try DirectoryStorage(path: temporary.path)
        _ = try openDevice(storage)
        // A device that was just made has no other keybag waiting.
        try storage.replace(file, with: try storage.read(file) ?? [0])
        try setMode(0o644, of: storage.path(of: file))
        let refusal = StorageError.exposed(path: storage.path(of: file), mode: 0o644)
        #expect(throws: refusal) { try storage.read(file) }
        #expect(throws: refusal) { try storage.check() }
        // Nor does opening it look for one, or for what a daemon and programs leave beside it.
        guard ![.nextKeybag, .programs, .grants, .movedKeybag].contains(file) else { return }
        #expect(throws: DeviceError.storage(refusal)) { _ = try openDevice(storage) }
    }

    @Test func `is refused when another user owns it`() throws {
        var status = stat()
        #expect(lstat(temporary.path, &status) == 0)
        status.st_uid = geteuid() + 1
        #expect(throws: StorageError.foreignOwner(path: "place", owner: geteuid() + 1)) {
            try OwnerOnly.check(status, of: "place", is: .directory)
        }
    }

    @Test func `follows no symbolic link`() throws {
        let link = temporary.path + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: temporary.path
        )
        #expect(throws: StorageError.unexpectedKind(path: link)) {
            try DirectoryStorage(path: link)
        }
        let storage = try DirectoryStorage(path: temporary.path)
        try FileManager.default.createSymbolicLink(
            atPath: storage.path(of: .keybag),
            withDestinationPath: "/etc/passwd"
        )
        #expect(throws: StorageError.unexpectedKind(path: storage.path(of: .keybag))) {
            try storage.read(.keybag)
        }
    }

    @Test func `refuses files that are no device files by their size`() throws {
        let storage = try DirectoryStorage(path: temporary.path)
        try storage.replace(.keybag, with: [UInt8](repeating: 0, count: 64 * 1024 + 1))
        #expect(throws: StorageError.tooLarge(path: storage.path(of: .keybag))) {
            try storage.read(.keybag)
        }
    }

    @Test func `is busy while another holds the lock, for a bounded time`() throws {
        let holder = try DirectoryStorage(path: temporary.path)
        let other = try DirectoryStorage(path: temporary.path, lockWait: .zero)
        let outcome = try holder.withExclusiveLock { () throws(DeviceError) -> DeviceError? in
            do throws(DeviceError) {
                try other.withExclusiveLock { () throws(DeviceError) in }
                return nil
            } catch {
                return error
            }
        }
        #expect(outcome == .busy(path: temporary.path + "/lock"))
        try other.withExclusiveLock { () throws(DeviceError) in }
    }

    @Test func `tells one version of a file from the next`() throws {
        let storage = try DirectoryStorage(path: temporary.path)
        #expect(try storage.stamp(of: .keybag) == nil)
        #expect(try storage.read(.keybag) == nil)
        try storage.replace(.keybag, with: [1])
        let first = try storage.stamp(of: .keybag)
        #expect(try storage.stamp(of: .keybag) == first)
        try storage.replace(.keybag, with: [1])
        #expect(try storage.stamp(of: .keybag) != first)
        try storage.remove(.keybag)
        try storage.remove(.keybag)
        #expect(try storage.read(.keybag) == nil)
    }

    /// What can happen to a file between two looks at it.
    private static let happenings: [(name: String, happen: @Sendable (String) throws -> Void)] = [
        ("changed in place", { try Data([2]).append(to: $0) }),
        ("replaced", { try Data([2]).write(to: URL(filePath: $0), options: .atomic) }),
        ("moved away", { try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".old") }),
        ("removed", { try FileManager.default.removeItem(atPath: $0) }),
        ("opened to others", { try setMode(0o644, of: $0) }),
        (
            "replaced by a copy of itself",
            { path in
                let copy = try Data(contentsOf: URL(filePath: path))
                try FileManager.default.removeItem(atPath: path)
                try copy.write(to: URL(filePath: path))
            }
        ),
        (
            "replaced while it has a second name",
            { path in
                try FileManager.default.linkItem(atPath: path, toPath: path + ".second")
                try Data([2]).write(to: URL(filePath: path), options: .atomic)
            }
        ),
    ]

    @Test(arguments: happenings.indices)
    func `sees what happened to a file that it looked at before`(index: Int) throws {
        let storage = try DirectoryStorage(path: temporary.path)
        try storage.replace(.keybag, with: [1])
        let before = try storage.stamp(of: .keybag)
        try waitForClock()
        try Self.happenings[index].happen(storage.path(of: .keybag))
        #expect(try storage.stamp(of: .keybag) != before)
        let path = storage.path(of: .keybag)
        #expect(try storage.stamp(of: .keybag) == FileWatch().stamp(of: .keybag, at: path))
    }

    /// File systems tell times in steps of some milliseconds: makes files until one is later.
    private func waitForClock() throws {
        func time() throws -> Int64 {
            let path = temporary.path + "/clock"
            try Data([1]).write(to: URL(filePath: path))
            var status = stat()
            guard stat(path, &status) == 0 else { throw POSIXError(.EIO) }
            return Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        }
        let start = try time()
        while try time() == start {}
    }

    @Test func `looks at no link in a file's place`() throws {
        let storage = try DirectoryStorage(path: temporary.path)
        try storage.replace(.keybag, with: [1])
        _ = try storage.stamp(of: .keybag)
        let path = storage.path(of: .keybag)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: path + ".old"
        )
        #expect(throws: StorageError.self) { try storage.stamp(of: .keybag) }
    }

    @Test func `takes no link that leads nowhere for an absent file`() throws {
        let storage = try DirectoryStorage(path: temporary.path)
        try FileManager.default.createSymbolicLink(
            atPath: storage.path(of: .grants),
            withDestinationPath: temporary.path + "/nowhere"
        )
        #expect(throws: StorageError.self) { try storage.stamp(of: .grants) }
    }

    @Test func `is not hindered by what a crash left behind`() throws {
        let storage = try DirectoryStorage(path: temporary.path)
        let leftover = storage.path(of: .keybag) + ".new"
        #expect(FileManager.default.createFile(atPath: leftover, contents: Data([9])))
        try storage.replace(.keybag, with: [1, 2])
        #expect(try storage.read(.keybag) == [1, 2])
        #expect(!FileManager.default.fileExists(atPath: leftover))
    }
}

@Suite struct `The system's clock` {
    @Test func `stays in one boot and runs forward`() throws {
        let earlier = try DeviceInstant.systemNow()
        let later = try DeviceInstant.systemNow()
        #expect(later.elapsed(since: earlier) != nil)
        #expect(later.bootID.contains { $0 != 0 })
    }
}
