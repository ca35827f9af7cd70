import Cryptography
import Secrets
import TestSupport
import Testing

@testable import KeychainSync

/// A circle with real keys: `ada` founds it, `bob` may come in.
struct RealCircle {
    let ada: SoftwareSigner
    let bob: SoftwareSigner
    let paper: SoftwareSigner
    let founding: MadeLink
    let code: SyncCode
    let writer = LinkWriter(SystemRandomSource(), time: 1_800_000_000_000)
    var chain: CircleChain

    init(paper hasPaper: Bool = true) throws {
        ada = try Self.signer()
        bob = try Self.signer()
        paper = try Self.signer()
        founding = try writer.found(
            by: ada,
            deviceName: "ada",
            recovery: hasPaper ? paper.keys : nil
        )
        code = founding.link.code
        chain = CircleChain(code)
        try chain.add([founding.link])
    }

    static func signer() throws -> SoftwareSigner {
        try SoftwareSigner(
            signing: .generate(.ellipticCurve(.p256)),
            agreement: .generate(.ellipticCurve(.p256))
        )
    }

    func adding(_ signer: SoftwareSigner, keeper: Bool = false) throws -> Link.Changes {
        var changes = Link.Changes()
        changes.added = [try Link.Newcomer(signer.keys, deviceName: "bob", isKeeper: keeper)]
        return changes
    }

    func follow(
        _ changes: Link.Changes,
        _ key: SharedSecret? = nil,
        by signers: [any PeerSigner]
    ) throws -> MadeLink {
        let head = try #require(chain.head)
        return try writer.follow(changes, after: head, key ?? founding.key, code, by: signers)
    }
}

@Suite struct `A link` {
    @Test func `is read as it was written`() throws {
        let circle = try RealCircle()
        let made = try circle.follow(try circle.adding(circle.bob, keeper: true), by: [circle.ada])
        for link in [circle.founding.link, made.link] {
            let bytes = try LinkFormat.seal(
                link,
                circle.code,
                nonce: [UInt8](repeating: 1, count: 12)
            )
            #expect(try LinkFormat.open(bytes, circle.code) == link)
        }
    }

    @Test func `of version 1 is named as such`() throws {
        let circle = try RealCircle()
        var bytes = try LinkFormat.seal(
            circle.founding.link,
            circle.code,
            nonce: [UInt8](repeating: 1, count: 12)
        )
        bytes[4] = 1
        #expect(throws: SyncError.damaged("a link: its version is 1; this program knows 2")) {
            try LinkFormat.open(bytes, circle.code)
        }
    }

    @Test func `that is cut or changed anywhere is an error`() throws {
        let circle = try RealCircle()
        let bytes = try LinkFormat.seal(
            circle.founding.link,
            circle.code,
            nonce: [UInt8](repeating: 1, count: 12)
        )
        for place in bytes.indices {
            #expect(throws: SyncError.self) {
                try LinkFormat.open(Array(bytes.prefix(place)), circle.code)
            }
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: SyncError.self) { try LinkFormat.open(changed, circle.code) }
        }
    }

    @Test func `counts with the signatures that it names, and no others`() throws {
        var circle = try RealCircle()
        let made = try circle.follow(try circle.adding(circle.bob), by: [circle.ada])
        let forged = Link(
            made.link.content,
            made.link.digest,
            signatures: [[UInt8](repeating: 7, count: 64)]
        )
        try circle.chain.add([forged])
        #expect(circle.chain.faults[made.link.digest] == .wrongSignature)
        #expect(circle.chain.head?.link == circle.founding.link)
        // Whoever put the wrong one first has not taken the right one's place.
        try circle.chain.add([made.link])
        #expect(circle.chain.faults.isEmpty)
        #expect(circle.chain.head?.link == made.link)
    }

    @Test(.requirement("CIR-06"))
    func `with the twin of its signature is the same link`() throws {
        var circle = try RealCircle()
        let made = try circle.follow(try circle.adding(circle.bob), by: [circle.ada])
        let twin = Link(
            made.link.content,
            made.link.digest,
            signatures: [SignatureTwin.twin(of: made.link.signatures[0])]
        )
        #expect(try twin.isSigned(by: [circle.ada.keys]))
        try circle.chain.add([twin, made.link])
        #expect(circle.chain.chain.count == 2)
        #expect(circle.chain.forkers.isEmpty)
    }

    @Test func `needs both signatures where it names two`() throws {
        var circle = try RealCircle()
        var changes = Link.Changes()
        changes.recovery = .keys(try RealCircle.signer().keys)
        let made = try circle.follow(changes, by: [circle.ada, circle.paper])
        let half = Link(
            made.link.content,
            made.link.digest,
            signatures: [made.link.signatures[0], made.link.signatures[0]]
        )
        try circle.chain.add([half])
        #expect(circle.chain.head?.link == circle.founding.link)
        try circle.chain.add([made.link])
        #expect(circle.chain.head?.link == made.link)
    }

    /// Bytes of the right count that are no point, in one of the places for a public key.
    enum WrongKey: CaseIterable, Sendable {
        case signing, agreement, zeros, compressed, recoverySigning, recoveryAgreement

        func changes(_ signer: SoftwareSigner) throws -> Link.Changes {
            let (right, other) = (signer.keys.signing, signer.keys.agreement)
            let wrong: [UInt8] = [4] + [UInt8](repeating: 1, count: 64)
            let halves: ([UInt8], [UInt8]) =
                switch self {
                case .signing, .recoverySigning: (wrong, other)
                case .agreement, .recoveryAgreement: (right, wrong)
                case .zeros: (right, [UInt8](repeating: 0, count: 65))
                case .compressed: (right, [2] + other.dropFirst())
                }
            let keys = try #require(PeerKeys(signing: halves.0, agreement: halves.1))
            var changes = Link.Changes()
            switch self {
            case .recoverySigning, .recoveryAgreement: changes.recovery = .keys(keys)
            case .signing, .agreement, .zeros, .compressed:
                changes.added = [try Link.Newcomer(keys, deviceName: "eve", isKeeper: true)]
            }
            return changes
        }
    }

    @Test(.requirement("CIR-10"), arguments: WrongKey.allCases)
    func `with a key that is no point does not count`(wrong: WrongKey) throws {
        var circle = try RealCircle()
        var content = circle.founding.link.content
        content.number = 1
        content.previous = circle.founding.link.digest
        content.signers = [1]
        content.changes = try wrong.changes(try RealCircle.signer())
        content.newKey = content.changes.takesAway ? .zeros : nil
        let link = try Link(content, by: [circle.ada])
        let nonce = [UInt8](repeating: 1, count: 12)
        let bytes = try LinkFormat.seal(link, circle.code, nonce: nonce)
        try circle.chain.add([try LinkFormat.open(bytes, circle.code)])
        #expect(circle.chain.faults[link.digest] == .wrongKey)
        // Judged again, it does not count either.
        let made = try circle.follow(try circle.adding(circle.bob), by: [circle.ada])
        try circle.chain.add([try LinkFormat.open(bytes, circle.code), made.link])
        #expect(circle.chain.faults == [link.digest: .wrongKey])
        #expect(circle.chain.head?.link == made.link)
    }

    @Test func `is not asked for with a key that is no point`() throws {
        let wrong = try WrongKey.agreement.changes(try RealCircle.signer())
        let keys = try #require(wrong.added.first).keys
        let request = try JoinRequest(keys, deviceName: "eve").encoded().secret(filledTo: 1024)
        #expect(throws: SyncError.damaged("request: a key is no point of P-256")) {
            try request.withUnsafeBytes { bytes throws(SyncError) in
                try JoinRequest(decoding: bytes)
            }
        }
    }

    /// The most that a circle of 4,096 devices has to say at once.
    private static func manyChanges(_ recovery: PeerKeys) throws -> Link.Changes {
        var changes = Link.Changes()
        changes.recovery = .keys(recovery)
        for number in 0..<CircleState.memberCountLimit {
            let name = "\(number)" + String(repeating: "n", count: 250)
            let keys = try ChainScript.keys(name)
            changes.added.append(try Link.Newcomer(keys, deviceName: name, isKeeper: false))
            changes.removed.append(try ChainScript.name("out \(number)"))
            changes.promoted.append(try ChainScript.name("up \(number)"))
        }
        return changes
    }

    @Test func `has room for each part of many changes`() throws {
        let circle = try RealCircle()
        let changes = try Self.manyChanges(circle.bob.keys)
        let parts = changes.parts
        let sealed = [UInt8](repeating: 1, count: Link.EarlierKey.sealedByteCount)
        let counts = try parts.map { part in
            var content = circle.founding.link.content
            content.changes = part
            let earlier = Link.EarlierKey(.zeros, sealed: sealed)
            content.earlierKeys = [Link.EarlierKey](repeating: earlier, count: 257)
            let link = try Link(content, by: [circle.ada, circle.paper])
            let nonce = [UInt8](repeating: 1, count: 12)
            return try LinkFormat.seal(link, circle.code, nonce: nonce).count
        }
        #expect(counts.allSatisfy { $0 <= LinkFormat.byteCountLimit })
        #expect(parts.flatMap(\.removed) == changes.removed)
        #expect(parts.flatMap(\.promoted) == changes.promoted)
        #expect(parts.flatMap(\.added) == changes.added)
        #expect(parts.map(\.recovery).filter { $0 != .unchanged } == [changes.recovery])
        #expect(Link.Changes().parts == [Link.Changes()])
    }

    @Test(.timeLimit(.minutes(5)))
    func `of ten thousand hostile ones is not followed`() throws {
        var circle = try RealCircle()
        let made = try circle.follow(try circle.adding(circle.bob, keeper: true), by: [circle.ada])
        try circle.chain.add([made.link])
        var out = Link.Changes()
        out.removed = [try KeyName(of: circle.bob.keys)]
        let removal = try circle.follow(out, by: [circle.ada])
        var hostile: [Link] = []
        for number in 0..<10_000 {
            var content = made.link.content
            content.number = 2
            content.previous = made.link.digest
            content.signers = [2]
            content.time = UInt64(number)
            content.changes = Link.Changes()
            content.changes.removed = [try KeyName(of: circle.ada.keys)]
            content.newKey = .zeros
            hostile.append(
                Link(
                    content,
                    try LinkFormat.digest(of: content),
                    signatures: [made.link.signatures[0]]
                )
            )
        }
        try circle.chain.add(hostile + [removal.link])
        #expect(circle.chain.head?.link == removal.link)
        #expect(circle.chain.faults.count == 10_000)
    }
}

@Suite struct `The boxes of a link` {
    @Test func `give each reader the key, and nobody else`() throws {
        var circle = try RealCircle()
        let made = try circle.follow(try circle.adding(circle.bob), by: [circle.ada])
        try circle.chain.add([made.link])
        var out = Link.Changes()
        out.removed = [try KeyName(of: circle.bob.keys)]
        let account = try circle.code.accountName()
        let removal = try circle.follow(out, by: [circle.ada])
        try circle.chain.add([removal.link])
        // ada opens the removal's box, and the key before it from there.
        let key = try #require(
            try LinkBoxes.open(
                removal.boxes,
                of: removal.link,
                at: 1,
                named: removal.keyName,
                account,
                by: circle.ada
            )
        )
        let given = try #require(removal.link.earlierKeys.first)
        #expect(given.name == circle.founding.keyName)
        let earlier = try #require(try LinkBoxes.open(given, of: removal.link, under: key))
        let isEarlier = earlier.secret.constantTimeEquals(circle.founding.key.secret)
        #expect(isEarlier)
        for place in 0..<4 {
            #expect(
                try LinkBoxes.open(
                    removal.boxes,
                    of: removal.link,
                    at: place,
                    named: removal.keyName,
                    account,
                    by: circle.bob
                ) == nil
            )
        }
        #expect((removal.boxes.count - 65) % (4 * 48) == 0)
    }

    @Test func `of a founding link open for the founder and the recovery key`() throws {
        let circle = try RealCircle()
        let account = try circle.code.accountName()
        for (place, reader) in [circle.paper, circle.ada].enumerated() {
            let key = try LinkBoxes.open(
                circle.founding.boxes,
                of: circle.founding.link,
                at: place,
                named: circle.founding.keyName,
                account,
                by: reader
            )
            #expect(key != nil)
        }
    }
}
