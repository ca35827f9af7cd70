import Cryptography
import Secrets

@testable import KeychainSync

/// Reads the parts of streams, and writes them again.
enum SyncFixture {
    /// A device whose keys everybody knows.
    static func device() throws(SyncError) -> SoftwareSigner { try keys(7) }

    /// Other keys that everybody knows for each number.
    static func keys(_ number: UInt8) throws(SyncError) -> SoftwareSigner {
        try RecoveryKey(Secret(copying: [UInt8](repeating: number, count: 32))).signer()
    }

    private static let header = EntryHeader(
        .segment,
        .zeros,
        EntryPlace(.zeros, 3),
        previous: .zeros
    )

    /// An entry of the device, wherever it says that it belongs.
    static func entry(_ part: [UInt8]) throws(SyncError) -> [UInt8] {
        var reader = FieldReader(part[...], of: "entry")
        let stated = try EntryHeader(&reader)
        let device = try device()
        let unverified = try UnverifiedEntry(
            part + (try device.sign(SignedEntry.signedMessage(part))),
            of: stated.account,
            at: stated.place,
            after: stated.previous
        )
        let entry = try SignedEntry(unverified, signedBy: device.keys)
        return try entry.header.encoded(bodyByteCount: entry.body.count) + entry.body
    }

    static func segment(_ part: [UInt8]) throws(SyncError) -> [UInt8] {
        let segment = try Secret(copying: part).withUnsafeBytes { bytes throws(SyncError) in
            try SegmentFormat.decode(bytes, of: header)
        }
        return try SegmentFormat.encode(segment).secret(filledTo: 0).copyBytesUnprotected()
    }

    static func request(_ part: [UInt8]) throws(SyncError) -> [UInt8] {
        let request = try Secret(copying: part).withUnsafeBytes { bytes throws(SyncError) in
            try JoinRequest(decoding: bytes)
        }
        return try request.encoded().bytes()
    }

    /// A link as if its signatures were right: number (8), content.
    static func link(_ part: [UInt8]) throws(SyncError) -> Link {
        var reader = FieldReader(part[...], of: "a link")
        let number = try reader.integer(UInt64.self)
        let content = try LinkFormat.decode(&reader, number: number)
        try reader.finishFilled()
        return Link(content, try LinkFormat.digest(of: content), signatures: [])
    }

    /// The part that says a link.
    static func written(_ link: Link) throws(SyncError) -> [UInt8] {
        var writer = FieldWriter()
        writer.append(link.number)
        return try writer.bytes() + LinkFormat.encode(link.content)
    }
}
