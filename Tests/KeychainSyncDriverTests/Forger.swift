import Cryptography
import KeychainSync
import Secrets
import SyncRelay
import Testing

@testable import KeychainSyncDriver

/// Whoever has the keys of a device and follows no rules.
///
/// It knows what the device knew when it was made, and signs links and entries anywhere.
struct Forger {
    let stream: StreamName
    let state: SyncState
    let signer: any PeerSigner
    private let relay: MemoryRelay

    init(_ device: SyncPeer) throws {
        state = try #require(device.device.state)
        signer = try #require(device.device.signer)
        relay = try device.relay()
        stream = state.machine.memory.stream
    }

    var head: CircleChain.Head { get throws { try #require(state.machine.chain.head) } }

    /// The circle as it was after a link of the chain.
    func head(at number: Int) throws -> CircleChain.Head {
        var chain = CircleChain(state.membership.code)
        try chain.add(Array(state.machine.chain.chain.prefix(number + 1)), trusted: true)
        return try #require(chain.head)
    }

    /// Where the stream of the device goes on.
    func next(link: SyncDigest) throws -> EntryHeader {
        let range = try relay.streams()[stream] ?? 0..<0
        let last = try relay.entries(of: stream, from: range.upperBound - 1, byteCountLimit: 1)
        let shown = try UnverifiedEntry(
            try #require(last.first),
            of: state.membership.account,
            at: EntryPlace(stream, range.upperBound - 1),
            after: nil
        )
        return EntryHeader(
            .segment,
            state.membership.account,
            EntryPlace(stream, range.upperBound),
            previous: shown.digest,
            link: link
        )
    }

    /// Appends a segment to the stream of the device, under a link that it names.
    func write(_ segment: Segment<ItemChange>, naming link: SyncDigest? = nil) throws {
        let head = try head
        let header = try next(link: link ?? head.link.digest)
        let key = try #require(state.keys[head.state.keyName])
        let entry = try SignedEntry(
            segment,
            header,
            under: key.secret,
            nonce: [UInt8](repeating: 1, count: AESGCM.nonceByteCount),
            by: signer
        )
        try relay.append(entry.bytes, to: stream, at: entry.header.number)
    }

    /// Puts a link on the relay that follows any other one.
    @discardableResult
    func put(
        _ changes: Link.Changes,
        after head: CircleChain.Head,
        by signers: [any PeerSigner]? = nil
    ) throws -> MadeLink {
        let key = try #require(state.keys[head.state.keyName])
        let writer = LinkWriter(SystemRandomSource(), time: 0)
        let made = try writer.follow(
            changes,
            after: head,
            key,
            state.membership.code,
            by: signers ?? [signer]
        )
        let bytes = try LinkFormat.seal(
            made.link,
            state.membership.code,
            nonce: SystemRandomSource().bytes(12)
        )
        let place = try state.place(of: made.link, bytes)
        try relay.put(bytes, boxes: made.boxes, at: place)
        return made
    }

    static func stranger() throws -> SoftwareSigner {
        try SoftwareSigner(
            signing: .generate(.ellipticCurve(.p256)),
            agreement: .generate(.ellipticCurve(.p256))
        )
    }

    /// Changes that let a device in that nobody knows.
    static func adding(_ stranger: SoftwareSigner, keeper: Bool = true) throws -> Link.Changes {
        var changes = Link.Changes()
        changes.added = [try Link.Newcomer(stranger.keys, deviceName: "eve", isKeeper: keeper)]
        return changes
    }
}
