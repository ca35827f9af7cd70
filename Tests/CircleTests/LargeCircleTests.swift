import Cryptography
import Secrets
import TestSupport
import Testing

@testable import KeychainSync

@Suite struct `A circle of a thousand devices` {
    private static let count = 1_000

    /// Devices with names of their own; they agree with one of four pairs.
    private static func changes(
        _ number: Int,
        _ agreement: [SoftwareSigner]
    ) throws -> Link.Changes {
        var scalar = [UInt8](repeating: 1, count: 32)
        scalar[1] = UInt8(number >> 8)
        scalar[2] = UInt8(number & 255)
        let pair = try PrivateKey(scalar: Secret(copying: scalar), on: .p256)
        let keys = try #require(
            PeerKeys(
                signing: pair.publicKey.externalRepresentation,
                agreement: agreement[number % 4].keys.agreement
            )
        )
        var changes = Link.Changes()
        changes.added = [try Link.Newcomer(keys, deviceName: "device", isKeeper: false)]
        return changes
    }

    @Test(.requirement("CIR-09"))
    func `is joined by reading at most a megabyte, and read on after a removal`() throws {
        let circle = try RealCircle()
        let pairs = try (0..<4).map { _ in try RealCircle.signer() }
        var head = try #require(circle.chain.head)
        let code = circle.code
        let nonce = [UInt8](repeating: 1, count: 12)
        let ada = try KeyName(of: circle.ada.keys)
        var links: [Link] = []
        var byteCount = try LinkFormat.seal(circle.founding.link, code, nonce: nonce).count
        var last: MadeLink?
        for number in 0..<Self.count {
            let made = try circle.writer.follow(
                Self.changes(number, pairs),
                after: head,
                circle.founding.key,
                code,
                by: [circle.ada]
            )
            var state = head.state
            _ = try state.apply(made.link, by: [ada])
            head = CircleChain.Head(link: made.link, state: state)
            links.append(made.link)
            byteCount += try LinkFormat.seal(made.link, code, nonce: nonce).count
            last = made
        }
        byteCount += try #require(last).boxes.count
        #expect(byteCount <= 1_000_000)

        var out = Link.Changes()
        out.removed = [try #require(links[7].changes.added.first).name]
        let removal = try circle.writer.follow(
            out,
            after: head,
            circle.founding.key,
            code,
            by: [circle.ada]
        )
        var chain = CircleChain(code)
        try chain.add([circle.founding.link] + links + [removal.link])
        #expect(chain.head?.state.members.count == Self.count)
        // One that stayed opens its box; the key of before follows from that.
        let staying = try #require(links[8].changes.added.first)
        let box = try #require(try chain.boxes(for: staying.name).first)
        let key = try #require(
            try LinkBoxes.open(
                removal.boxes,
                of: removal.link,
                at: box.index,
                named: removal.keyName,
                try code.accountName(),
                by: pairs[0]
            )
        )
        let given = try #require(removal.link.earlierKeys.first)
        #expect(given.name == circle.founding.keyName)
        #expect(try LinkBoxes.open(given, of: removal.link, under: key) != nil)
    }
}
