import Cryptography
import EngineTestSupport
import KeychainMessages
import KeychainModel
import KeychainSync
import ModelTestSupport
import Secrets
import SyncRelay
import Testing

@testable import KeychainSyncDriver

/// A keychain that synchronizes, with its way to the relay.
final class SyncPeer {
    let fixture: EngineFixture
    let name: String
    let server: MemoryRelayServer
    var device: SyncDevice

    init(_ name: String, _ server: MemoryRelayServer) throws {
        self.name = name
        self.server = server
        fixture = try EngineFixture.unlocked()
        device = Self.device(fixture)
    }

    static func device(
        _ fixture: EngineFixture,
        _ endpoint: (any Endpoint)? = nil
    ) -> SyncDevice {
        let clock = fixture.clock
        return SyncDevice(endpoint ?? fixture.keychain.endpoint) { clock.date }
    }

    /// As after a kill: nothing is left but what the keychain has.
    func restart() { device = Self.device(fixture) }

    /// The way to the relay.
    func relay(entryByteCountLimit: Int = 1 << 24) throws -> MemoryRelay {
        let account = try #require(try device.membership()?.account)
        return try MemoryRelay(server, account, entryByteCountLimit: entryByteCountLimit)
    }

    @discardableResult
    func pass() throws -> SyncReport { try device.pass(through: try relay()) }

    func add(_ account: String, _ value: String) {
        fixture.clock.advance(seconds: 1)
        let status = fixture.keychain.add(synced(account), value)
        if status == .duplicateItem {
            fixture.keychain.update(synced(account), value)
        }
    }

    func delete(_ account: String) {
        fixture.clock.advance(seconds: 1)
        fixture.keychain.delete(synced(account))
    }

    func value(_ account: String) -> String? { fixture.keychain.read(synced(account)).value }

    func lock() throws { _ = try fixture.keychain.endpoint.send(DeviceRequest.lock) }
}

/// A query for a synchronizable password.
func synced(_ account: String) -> AttributeDictionary {
    password(account, [.synchronizable: .bool(true)])
}

/// Two keychains in one circle, and their relay.
struct SyncPair {
    let server = MemoryRelayServer()
    let code: SyncCode
    let first: SyncPeer
    let second: SyncPeer

    init() throws {
        first = try SyncPeer("ada", server)
        second = try SyncPeer("bob", server)
        code = try Self.found(first)
        try join(second, approvedBy: first)
    }

    static func recoveryKey(_ byte: UInt8 = 1) -> RecoveryKey {
        RecoveryKey(Secret(copying: [UInt8](repeating: byte, count: 32)))
    }

    @discardableResult
    static func found(_ peer: SyncPeer) throws -> SyncCode {
        let code = try peer.device.create(
            deviceName: peer.name,
            relayName: "memory",
            recovery: recoveryKey().signer().keys
        )
        try peer.pass()
        return code
    }

    func join(_ peer: SyncPeer, approvedBy member: SyncPeer, keeper: Bool = false) throws {
        let fingerprint = try peer.device.requestToJoin(
            code,
            deviceName: peer.name,
            relayName: "memory"
        )
        #expect(try !peer.pass().isMember)
        let relay = try member.relay()
        #expect(
            try member.device.approve(fingerprint, keeper: keeper, through: relay) == peer.name
        )
        #expect(try peer.pass().isMember)
    }

    /// Both have what the other had before.
    func settle() throws {
        try first.pass()
        try second.pass()
        try first.pass()
    }

    /// What each has under some names.
    func values(_ accounts: [String]) -> [[String?]] {
        [accounts.map(first.value), accounts.map(second.value)]
    }
}

extension MemoryRelay {
    /// All streams, each from its beginning.
    func everything() throws -> [(stream: StreamName, entries: [[UInt8]])] {
        try streams().keys.sorted().map { stream in
            (stream, try entries(of: stream, from: 0, byteCountLimit: .max))
        }
    }
}
