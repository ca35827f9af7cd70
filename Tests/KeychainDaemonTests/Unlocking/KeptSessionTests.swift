import DataProtection
import EngineTestSupport
import Glibc
import KeychainEngine
import KeychainModel
import Synchronization
import TestSupport
import Testing

@testable import KeychainDaemon

/// Keeps descriptors as systemd does.
private final class TestKeeper: DescriptorKeeper {
    private let kept = Mutex<[String: Int32]>([:])

    func keep(_ descriptor: Int32, as name: String) -> Bool {
        kept.withLock { $0[name] = fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
        return true
    }

    func forget(_ name: String) {
        kept.withLock { kept in
            if let descriptor = kept.removeValue(forKey: name) { close(descriptor) }
        }
    }

    var names: [String] { kept.withLock { $0.keys.sorted() } }

    /// What a service gets when it starts again.
    func handOver(_ name: String) -> Int32? {
        kept.withLock { $0[name] }.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    }
}

@Suite struct `What a daemon keeps across a restart` {
    private let name = KeptSessionStorage.name(of: 1000)

    @Test(.requirement("DMN-12")) func `opens the keychain again`() throws {
        let (keeper, storage) = (TestKeeper(), MemoryStorage())
        try before(keeper, storage)
        #expect(keeper.names == [name])
        let after = KeptSessionStorage(of: 1000, keeper: keeper, kept: keeper.handOver(name))
        #expect(after.hasImage)
        let engine = try EngineFixture(storage: storage, session: after).engine
        #expect(try engine.lockState().state == .unlocked)
    }

    @Test(.requirement("DMN-12")) func `is nothing without somebody who keeps it`() throws {
        let storage = MemoryStorage()
        try before(nil, storage)
        let after = KeptSessionStorage(of: 1000)
        #expect(!after.hasImage)
        let engine = try EngineFixture(storage: storage, session: after).engine
        #expect(try engine.lockState().state == .beforeFirstUnlock)
    }

    @Test(.requirement("DMN-12")) func `is overwritten by a lock, for whoever has it`() throws {
        let (keeper, storage) = (TestKeeper(), MemoryStorage())
        let unlocked = try before(keeper, storage)
        let copy = try #require(keeper.handOver(name))
        try unlocked.engine.forgetFirstUnlock()
        #expect(keeper.names.isEmpty)
        var bytes = [UInt8](repeating: 1, count: KeptMemory.byteCount)
        #expect(pread(copy, &bytes, bytes.count, 0) == bytes.count)
        #expect(bytes.allSatisfy { $0 == 0 })
        let after = KeptSessionStorage(of: 1000, keeper: keeper, kept: copy)
        #expect(!after.hasImage)
    }

    @Test(.requirement("DMN-12")) func `opens nothing after a lock that it outlived`() throws {
        let (keeper, storage) = (TestKeeper(), MemoryStorage())
        let unlocked = try before(keeper, storage)
        let descriptor = try #require(keeper.handOver(name))
        var image = [UInt8](repeating: 0, count: KeptMemory.byteCount)
        #expect(pread(descriptor, &image, image.count, 0) == image.count)
        close(descriptor)
        try unlocked.engine.forgetFirstUnlock()
        let old = try #require(KeptMemory(image))
        let after = KeptSessionStorage(
            of: 1000,
            keeper: keeper,
            kept: fcntl(old.descriptor, F_DUPFD_CLOEXEC, 3)
        )
        #expect(after.hasImage)
        let engine = try EngineFixture(storage: storage, session: after).engine
        #expect(try engine.lockState().state == .beforeFirstUnlock)
    }

    @Test func `is refused if its size can be changed`() throws {
        let home = try TestHome()
        let descriptor = open(home.root + "/image", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0 && ftruncate(descriptor, KeptMemory.byteCount) == 0)
        #expect(KeptMemory(descriptor) == nil)
    }

    @Test(arguments: [
        [], [UInt8]("swkept".utf8), [UInt8]("swkept".utf8) + [0, 1, 255, 255, 255, 255],
        [UInt8]("swkept".utf8) + [0, 1, 0, 0, 0, 1, 65, 0, 0, 0, 9, 1],
        [UInt8]("swkept".utf8) + [0, 1, 0, 0, 0, 1, 255, 0, 0, 0, 1, 1],
        [UInt8](repeating: 0, count: 100),
    ])
    func `is refused if it is damaged`(_ bytes: [UInt8]) {
        #expect(KeptSession(decoding: bytes) == nil)
    }

    @Test func `is read as it was written`() throws {
        let session = try #require(KeptSession(name: "session-1", image: [1, 2, 3]))
        #expect(KeptSession(decoding: session.encoded + [0, 0]) == session)
    }

    /// A daemon that was unlocked, and then ended.
    @discardableResult
    private func before(
        _ keeper: TestKeeper?,
        _ storage: MemoryStorage
    ) throws -> EngineFixture {
        let fixture = try EngineFixture(
            storage: storage,
            session: KeptSessionStorage(of: 1000, keeper: keeper)
        )
        try fixture.unlock()
        return fixture
    }
}
