import KeychainSync
import Testing

@testable import RemoteRelay
@testable import SyncRelay

private let stream = RelayStage.name(7)
private let account = AccountName(unchecked: [UInt8](repeating: 9, count: 16))

private let place = LinkPlace(number: 5, digest: SyncDigest(unchecked: (0..<32).map { $0 }))
private let later = LinkPlace(number: RelayLimit.number - 1, digest: .zeros)

private let requests: [RelayRequest] = [
    .open(RelayPlace(.postgreSQL, account, ["service=keychain"])),
    .open(RelayPlace(.etcd, account, ["https://etcd.example.org:2379", "http://localhost:1"])),
    .prepare, .streams, .entries(of: stream, from: 3, byteCountLimit: 4096),
    .append([[], [1], [2, 3]], to: stream, at: .max), .append([], to: stream, at: 0),
    .trim(stream, below: 5), .wait(milliseconds: 100), .stop, .remove(stream), .links,
    .stored(.link, [later, place]), .stored(.boxes, []), .store(.link, [1, 2], place),
    .store(.boxes, [], later),
]

private let replies: [RelayReply] = [
    .done, .streams([:]), .streams([stream: 3..<5, RelayStage.name(1): 0..<RelayLimit.number]),
    .entries([]), .entries([[], [1], [2, 3]]), .changed(true), .changed(false),
    .failure(.unreachable("the server is away")), .failure(.refused("nö")),
    .failure(.occupied(stream, 4)), .failure(.gap(stream, .max)), .failure(.tooLarge(limit: 9)),
    .failure(.damaged("")), .links([]), .links([place, later]),
]

/// The bytes of relays.md §6, by hand.
private let written: [(label: String, bytes: [UInt8], reply: RelayReply)] = [
    ("done", [1], .done),
    ("a change", [4, 1], .changed(true)),
    ("two entries", [3, 0, 0, 0, 2, 0, 0, 0, 1, 9, 0, 0, 0, 0], .entries([[9], []])),
    ("a limit", [9, 0, 0, 1, 0], .failure(.tooLarge(limit: 256))),
    ("a reason", [5, 0, 2, 0x6E, 0x6F], .failure(.unreachable("no"))),
    (
        "a link",
        [11, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5] + place.digest.bytes,
        .links([place])
    ),
    (
        "a stream",
        [2, 0, 0, 0, 1] + stream.bytes + [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 5],
        .streams([stream: 3..<5])
    ),
]

@Suite struct `A message between the processes of a relay` {
    @Test(arguments: requests) func `reads what was written of a request`(
        request: RelayRequest
    ) throws {
        #expect(try RelayRequest(request.bytes()) == request)
    }

    @Test(arguments: replies) func `reads what was written of a reply`(reply: RelayReply) throws {
        #expect(try RelayReply(reply.bytes()) == reply)
    }

    @Test(arguments: written) func `has the bytes of its page`(
        label: String,
        bytes: [UInt8],
        reply: RelayReply
    ) throws {
        #expect(try reply.bytes() == bytes)
        #expect(try RelayReply(bytes) == reply)
    }

    @Test(arguments: requests) func `is refused if a byte of a request is missing or added`(
        request: RelayRequest
    ) throws {
        let bytes = try request.bytes()
        let parts = bytes.indices.map { Array(bytes[..<$0]) } + [bytes + [0]]
        #expect(parts.compactMap { try? RelayRequest($0) } == [])
    }

    @Test(arguments: replies) func `is refused if a byte of a reply is missing or added`(
        reply: RelayReply
    ) throws {
        let bytes = try reply.bytes()
        let parts = bytes.indices.map { Array(bytes[..<$0]) } + [bytes + [0]]
        #expect(parts.compactMap { try? RelayReply($0) } == [])
    }

    @Test func `cuts a long reason between letters, and has no control character`() throws {
        let reason = "a\u{1B}b\n" + String(repeating: "ö", count: 5000)
        let bytes = try RelayReply.failure(.refused(reason)).bytes()
        guard case .failure(.refused(let read)) = try RelayReply(bytes) else {
            return try #require(Bool(false), "another reply")
        }
        #expect(read.hasPrefix("a b ö") && read.utf8.count == 4096)
    }

    @Test func `has no more than the limits say`() {
        let many = [[UInt8]](repeating: [], count: RelayMessageLimit.entryCount + 1)
        #expect(throws: SyncError.self) { try RelayReply.entries(many).bytes() }
        let texts = [String](repeating: "a", count: RelayMessageLimit.textCount + 1)
        #expect(throws: SyncError.self) {
            try RelayRequest.open(RelayPlace(.etcd, account, texts)).bytes()
        }
        let long = String(repeating: "a", count: RelayMessageLimit.textByteCount + 1)
        #expect(throws: SyncError.self) {
            try RelayRequest.open(RelayPlace(.postgreSQL, account, [long])).bytes()
        }
    }

    /// Places that are not in order, twice, too large, or fewer than it says.
    @Test(arguments: [
        [later, place], [place, place], [LinkPlace(number: RelayLimit.number, digest: .zeros)],
    ])
    func `is refused if its links are not in order, or none`(places: [LinkPlace]) {
        let fields = places.flatMap { place in
            (0..<8).map { UInt8(truncatingIfNeeded: place.number >> UInt64(56 - $0 * 8)) }
                + place.digest.bytes
        }
        let bytes = [11, 0, 0, 0, UInt8(places.count)] + fields
        #expect(throws: SyncError.self) { try RelayReply(bytes) }
    }

    @Test func `has no more links than the limits say`() throws {
        let many = [LinkPlace](repeating: place, count: RelayLimit.placeCount + 1)
        #expect(throws: SyncError.self) { try RelayRequest.stored(.link, many).bytes() }
        let large = [UInt8](repeating: 0, count: RelayLimit.linkByteCount + 1)
        #expect(throws: SyncError.self) { try RelayRequest.store(.link, large, place).bytes() }
        _ = try RelayRequest.store(.boxes, large, place).bytes()
        // Counts that no message keeps.
        let asked: [UInt8] = [11, 1, 0, 0, 0, UInt8(RelayLimit.placeCount + 1)]
        let most = [UInt8](repeating: 0, count: 40 * (RelayLimit.placeCount + 1))
        #expect(throws: SyncError.self) { try RelayRequest(asked + most) }
        #expect(throws: SyncError.self) { try RelayRequest([11, 3, 0, 0, 0, 0]) }
        #expect(throws: SyncError.self) { try RelayReply([11, 0, 8, 0, 1]) }
    }
}
