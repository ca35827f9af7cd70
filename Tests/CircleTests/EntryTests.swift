import Cryptography
import Secrets
import TestSupport
import Testing

@testable import KeychainSync

@Suite("An entry of a stream") struct EntryTests {
    let circle: SampleEntries
    let entry: SignedEntry

    init() throws {
        circle = try SampleEntries()
        entry = try circle.entry()
    }

    @Test func `opens as what was sealed`() throws {
        let signed = try SignedEntry(circle.shown(entry), signedBy: circle.real.ada.keys)
        let segment = try signed.segment(under: circle.key)
        let written = try circle.segment()
        #expect(segment.heads == written.heads)
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
        #expect(entry.bytes.count == 138 + 12 + 1024 + 16 + 64)
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

    @Test(arguments: [0, 1, 137, 138, 200]) func `is refused when it is cut`(count: Int) throws {
        #expect(try !accepts(Array(entry.bytes.prefix(count))))
        #expect(try !accepts(entry.bytes + [0]))
    }

    @Test(arguments: [[], [0], [1, 2, 3]] as [[UInt8]])
    func `by which a device leaves has no body`(body: [UInt8]) throws {
        let header = EntryHeader(.leave, circle.account, entry.header.place, previous: .zeros)
        let leaving = try SignedEntry(header, body: body, by: circle.real.ada)
        #expect(try accepts(leaving.bytes) == body.isEmpty)
    }

    private func accepts(_ bytes: [UInt8]) throws -> Bool {
        do throws(SyncError) {
            let shown = try UnverifiedEntry(
                bytes,
                of: circle.account,
                at: entry.header.place,
                after: .zeros
            )
            _ = try SignedEntry(shown, signedBy: circle.real.ada.keys)
            return true
        } catch {
            if case .backend = error { throw error }
            return false
        }
    }

    @Test func `belongs to one place, one account and one predecessor`() throws {
        let place = EntryPlace(entry.header.stream, 1)
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

    @Test(.requirement("CIR-06"))
    func `with the twin of its signature is the same entry`() throws {
        let signature = Array(entry.bytes.suffix(64))
        let twin = entry.bytes.dropLast(64) + SignatureTwin.twin(of: signature)
        let shown = try UnverifiedEntry(
            Array(twin),
            of: circle.account,
            at: entry.header.place,
            after: .zeros
        )
        let signed = try SignedEntry(shown, signedBy: circle.real.ada.keys)
        #expect(signed.digest == entry.digest)
        #expect(signed.bytes != entry.bytes)
    }

    @Test func `of version 1 is named as such`() throws {
        var bytes = entry.bytes
        bytes[4] = 1
        #expect(throws: SyncError.damaged("entry 0: its version is 1; this program knows 2")) {
            try UnverifiedEntry(bytes, of: circle.account, at: entry.header.place, after: nil)
        }
    }

    @Test func `does not open under another key`() throws {
        let key = Secret(copying: [UInt8](repeating: 6, count: 32))
        #expect(throws: SyncError.self) { _ = try entry.segment(under: key) }
    }
}

@Suite("A request to join") struct JoinRequestTests {
    let circle: SampleEntries
    let device: SoftwareSigner

    init() throws {
        circle = try SampleEntries()
        device = try RealCircle.signer()
    }

    private func request(by signer: SoftwareSigner) throws -> SignedEntry {
        try JoinRequest(device.keys, deviceName: "phone").entry(
            circle.header(.request, of: device),
            circle.real.code,
            nonce: circle.nonce,
            by: signer
        )
    }

    @Test func `names the device to who knows the circle`() throws {
        let opened = try JoinRequest(circle.shown(request(by: device)), circle.real.code)
        #expect(opened == JoinRequest(device.keys, deviceName: "phone"))
        #expect(try opened.fingerprint().text.count == 24)
    }

    @Test func `is refused from somebody else's key`() throws {
        let forged = try request(by: circle.real.ada)
        #expect(throws: SyncError.wrongSignature) {
            try JoinRequest(circle.shown(forged), circle.real.code)
        }
    }

    @Test func `says nothing to who does not know the circle`() throws {
        let other = try SampleEntries().real.code
        let shown = try circle.shown(request(by: device))
        #expect(throws: SyncError.self) { try JoinRequest(shown, other) }
    }
}
