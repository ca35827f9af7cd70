import Cryptography
import KeychainSync
import Secrets
import SyncRelay
import Testing

@testable import KeychainSyncDriver

/// Whoever has the keys of a device and follows no rules.
///
/// It knows what the device knew when it was made.
struct Forger {
    let peer: PeerName
    private let state: SyncState
    fileprivate let signer: ElementSigner
    private let relay: MemoryRelay

    init(_ device: SyncPeer) throws {
        state = try #require(device.device.state)
        signer = try #require(device.device.signer)
        relay = try device.relay()
        peer = try signer.name()
    }

    var machine: SyncMachine { get throws { try #require(state.machine) } }

    /// The last epoch that the device has the key of.
    var epoch: EpochName {
        get throws {
            let held = try machine.circle?.epochs.last { state.epochKeys[$0.name] != nil }
            return try #require(held).name
        }
    }

    /// A statement of the device, whatever it says of its place.
    func statement(
        _ action: Statement.Action,
        generation: UInt64,
        entry: UInt64
    ) throws -> Statement {
        try Statement(
            action,
            generation: generation,
            entry: entry,
            in: state.membership.account,
            by: signer
        )
    }

    /// A statement that adds a device that nobody knows.
    func adding(generation: UInt64, entry: UInt64) throws -> Statement {
        let keys = try HostileScene.stranger().keys
        return try statement(.add(keys, deviceName: "spy"), generation: generation, entry: entry)
    }

    /// Where the stream of the device goes on.
    func next() throws -> EntryHeader {
        let range = try #require(try relay.streams()[peer])
        let last = try #require(
            try relay.entries(of: peer, from: range.upperBound - 1, byteCountLimit: 1).first
        )
        return EntryHeader(
            .segment,
            state.membership.account,
            EntryPlace(peer, range.upperBound),
            previous: try SyncDigest(of: last),
            epoch: try epoch
        )
    }

    /// Appends a segment to the stream of the device.
    func write(_ segment: Segment<ItemChange>) throws {
        let header = try next()
        let key = try #require(state.epochKeys[header.epoch])
        let entry = try SignedEntry(
            segment,
            header,
            under: key.secret,
            nonce: [UInt8](repeating: 1, count: AESGCM.nonceByteCount),
            by: signer
        )
        try append(entry)
    }

    fileprivate var keys: [EpochName: SharedSecret] { state.epochKeys }

    fileprivate func append(_ entry: SignedEntry) throws {
        try relay.append(entry.bytes, to: peer, at: entry.header.number)
    }

    /// Appends statements to the stream of the device.
    func tell(_ statements: [Statement]) throws {
        var segment = Segment<ItemChange>()
        segment.statements = statements
        try write(segment)
    }
}

extension Forger {
    /// Gives another device the key of an epoch.
    func give(_ key: SharedSecret, to other: SyncPeer) throws {
        var gift = KeyGift()
        gift.epochs[try EpochName(of: key.secret)] = key
        try give(gift, to: other)
    }

    /// Gives another device all that this one has, and says something besides.
    func welcome(_ other: SyncPeer, saying statements: [Statement]) throws {
        var gift = KeyGift()
        gift.epochs = keys
        gift.statements = try Array(machine.memory.statements.values) + statements
        try give(gift, to: other)
    }

    private func give(_ gift: KeyGift, to other: SyncPeer) throws {
        let reader = try #require(other.device.signer?.keys.agreement)
        let place = try next()
        let header = EntryHeader(.keys, place.account, place.place, previous: place.previous)
        try append(try SignedEntry(gift, for: [reader], header, by: signer))
    }
}
