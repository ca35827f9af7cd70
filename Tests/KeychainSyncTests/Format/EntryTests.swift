import Cryptography
import Secrets
import TestSupport
import Testing

@testable import KeychainSync

@Suite("An entry of a stream") struct EntryTests {
    let circle: SampleCircle
    let entry: SignedEntry

    init() throws {
        circle = try SampleCircle()
        entry = try SignedEntry(
            circle.segment(),
            circle.header(.segment),
            under: circle.epochKey,
            nonce: circle.nonce,
            by: circle.founder
        )
    }

    @Test func `opens as what was sealed`() throws {
        var reader = StatementReader(circle.account)
        let signed = try SignedEntry(circle.shown(entry), signedBy: circle.founder.keys)
        let segment = try signed.segment(under: circle.epochKey, &reader)
        let written = try circle.segment()
        #expect(segment.heads == written.heads)
        #expect(segment.statements == written.statements)
        #expect(segment.changes.map(\.mark) == written.changes.map(\.mark))
        #expect(
            segment.changes.map(\.content.attributes) == written.changes.map(\.content.attributes)
        )
        let value = try #require(segment.changes[0].content.value)
        #expect(value.secret.copyBytesUnprotected() == Array("password 1".utf8))
        #expect(segment.changes[1].content.value == nil)
    }

    @Test func `has a size that says little`() {
        // header, nonce, 1024 bytes, tag, signature
        #expect(entry.bytes.count == 98 + 12 + 1024 + 16 + 64)
    }

    @Test func `shows neither name nor value`() throws {
        let shown = String(decoding: entry.bytes, as: UTF8.self)
        #expect(!shown.contains("mail") && !shown.contains("password"))
    }

    @Test func `is refused with any byte changed`() throws {
        let accepted = try entry.bytes.indices.filter { place in
            var bytes = entry.bytes
            bytes[place] ^= 1
            return try accepts(bytes)
        }
        #expect(accepted.isEmpty)
    }

    @Test(arguments: [0, 1, 97, 98, 200]) func `is refused when it is cut`(count: Int) throws {
        #expect(try !accepts(Array(entry.bytes.prefix(count))))
        #expect(try !accepts(entry.bytes + [0]))
    }

    private func accepts(_ bytes: [UInt8]) throws -> Bool {
        do throws(SyncError) {
            let shown = try UnverifiedEntry(
                bytes,
                of: circle.account,
                at: entry.header.place,
                after: .zeros
            )
            _ = try SignedEntry(shown, signedBy: circle.founder.keys)
            return true
        } catch {
            if case .backend = error { throw error }
            return false
        }
    }

    @Test func `belongs to one place, one account and one predecessor`() throws {
        let place = EntryPlace(entry.header.peer, 1)
        #expect(throws: SyncError.self) {
            try UnverifiedEntry(entry.bytes, of: circle.account, at: place, after: nil)
        }
        #expect(throws: SyncError.self) {
            try UnverifiedEntry(entry.bytes, of: .zeros, at: entry.header.place, after: nil)
        }
        let other = try circle.digest("another entry")
        #expect(throws: SyncError.self) {
            try UnverifiedEntry(
                entry.bytes,
                of: circle.account,
                at: entry.header.place,
                after: other
            )
        }
    }

    @Test func `does not open under another key`() throws {
        var reader = StatementReader(circle.account)
        let key = Secret(copying: [UInt8](repeating: 6, count: 32))
        #expect(throws: SyncError.self) { _ = try entry.segment(under: key, &reader) }
    }
}

@Suite("A box of keys") struct KeyBoxTests {
    let circle: SampleCircle
    let member: SoftwareSigner
    let entry: SignedEntry

    init() throws {
        circle = try SampleCircle()
        member = try SampleCircle.signer()
        var gift = KeyGift()
        gift.epochs[circle.epoch] = SharedSecret(circle.epochKey)
        gift.statements = [circle.founding]
        entry = try SignedEntry(
            gift,
            for: [circle.recovery.keys.agreement, member.keys.agreement],
            circle.header(.keys),
            by: circle.founder
        )
    }

    @Test func `opens for those whom it is for`() throws {
        let openings = try [member, circle.recovery].map { reader in
            var statements = StatementReader(circle.account)
            return try #require(try entry.gift(for: reader, &statements))
        }
        #expect(openings.allSatisfy { $0.statements == [circle.founding] })
        #expect(
            openings.allSatisfy {
                $0.epochs[circle.epoch]?.secret.constantTimeEquals(circle.epochKey) ?? false
            }
        )
    }

    @Test func `is nothing for others`() throws {
        var statements = StatementReader(circle.account)
        #expect(try entry.gift(for: circle.founder, &statements) == nil)
    }

    @Test func `stands among so many that nobody counts the devices`() throws {
        var gift = KeyGift()
        gift.epochs[circle.epoch] = SharedSecret(circle.epochKey)
        gift.statements = [circle.founding]
        let alone = try SignedEntry(
            gift,
            for: [member.keys.agreement],
            circle.header(.keys),
            by: circle.founder
        )
        #expect(alone.bytes.count == entry.bytes.count)
    }
}

@Suite("A request to join") struct JoinRequestTests {
    let circle: SampleCircle
    let device: SoftwareSigner

    init() throws {
        circle = try SampleCircle()
        device = try SampleCircle.signer()
    }

    private func request(by signer: SoftwareSigner) throws -> SignedEntry {
        try JoinRequest(device.keys, deviceName: "phone").entry(
            circle.header(.request, of: device),
            circle.code,
            nonce: circle.nonce,
            by: signer
        )
    }

    @Test func `names the device to who knows the circle`() throws {
        let opened = try JoinRequest(circle.shown(request(by: device)), circle.code)
        #expect(opened == JoinRequest(device.keys, deviceName: "phone"))
        #expect(try opened.fingerprint().text.count == 24)
    }

    @Test func `is refused from somebody else's key`() throws {
        let forged = try request(by: circle.founder)
        #expect(throws: SyncError.wrongSignature) {
            try JoinRequest(circle.shown(forged), circle.code)
        }
    }

    @Test func `says nothing to who does not know the circle`() throws {
        let other = try SampleCircle().code
        let shown = try circle.shown(request(by: device))
        #expect(throws: SyncError.self) { try JoinRequest(shown, other) }
    }
}
