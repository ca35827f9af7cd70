import EngineTestSupport
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

@testable import KeychainEngine

/// A keychain as whoever synchronizes it sees it.
struct SyncedKeychain {
    let fixture: EngineFixture

    init(_ fixture: EngineFixture) { self.fixture = fixture }

    /// One that was just unlocked.
    init(system: SystemProfile = .host) throws {
        fixture = try EngineFixture(system: system)
        try fixture.unlock()
    }

    var endpoint: EngineEndpoint {
        let caller = TestKeychain.caller([])
        return EngineEndpoint(engine: fixture.engine, caller: caller, note: { _ in })
    }

    func read(withContent: Bool = true) throws(KeychainError) -> [SyncedItem] {
        var items: [SyncedItem] = []
        _ = try endpoint.readSynchronized(withContent: withContent) { items += $0 }
        return items
    }

    func mark() throws(KeychainError) -> UInt64 { try endpoint.synchronizationMark() }

    @discardableResult
    func apply(
        _ items: SyncedItem...,
        keeping records: [SyncRecord] = []
    ) throws(KeychainError) -> SyncOutcome {
        let reply = try endpoint.send(.apply(items, keeping: records))
        guard case .applied(let outcome) = reply else { throw .unexpectedReply }
        return outcome
    }

    /// The names of the items in whose place something else is.
    func conflicts(
        _ items: SyncedItem...,
        keeping records: [SyncRecord] = []
    ) throws(KeychainError) -> [[UInt8]] {
        let reply = try endpoint.send(.apply(items, keeping: records))
        guard case .conflict(let names) = reply else { throw .unexpectedReply }
        return names
    }

    func status(_ request: SynchronizationRequest) -> SecurityStatus {
        TestKeychain(endpoint).status(.synchronization(request))
    }
}

extension SyncedItem {
    /// A generic password of the service `mail`, as another device would send it; a tombstone if
    /// it has no value.
    static func password(
        _ account: String,
        _ value: String?,
        at seconds: Double = 762_000_000,
        replaces: SyncedItem? = nil,
        group: String = "TEAM.app",
        protection: ProtectionClass = .whenUnlocked,
        control: AccessControl? = nil,
        _ more: AttributeValues = [:]
    ) throws(KeychainError) -> SyncedItem {
        var attributes: AttributeValues = [
            .account: .string(account), .service: .string("mail"),
            .creationDate: .date(700_000_000), .modificationDate: .date(seconds),
        ]
        for (attribute, value) in zip(more.keys, more.values) { attributes[attribute] = value }
        let item = PlainItem(
            itemClass: .genericPassword,
            attributes: attributes,
            accessGroup: group,
            protection: protection,
            accessControl: control,
            isSynchronizable: true,
            isTombstone: value == nil,
            reference: []
        )
        var synced = try item.synced(value.map(EngineFixture.secret))
        synced.replaces = replaces?.digest
        return synced
    }

    /// The same with the digest of what it has by now.
    func redigested() throws(KeychainError) -> SyncedItem {
        var item = self
        item.digest = try SyncDigests.digest(of: self)
        return item
    }

    /// The value as text.
    var text: String? {
        value.map { String(decoding: $0.secret.copyBytesUnprotected(), as: UTF8.self) }
    }
}
