import Cryptography

/// An entry of a stream as a relay keeps it: header, body, signature.
///
/// Whoever has a `SignedEntry` knows that its device signed it, for this account and this place.
///
/// - Source: Documentation/Spec/sync.md §3.
package struct SignedEntry: Sendable, Hashable {
    package let header: EntryHeader
    /// Header, body and signature.
    package let bytes: [UInt8]
    /// SHA-256 of header and body: a signature has twins.
    package let digest: SyncDigest

    /// The header as it is authenticated with the body.
    var headerBytes: [UInt8] { Array(bytes.prefix(EntryHeader.byteCount)) }

    /// What is between header and signature.
    var body: ArraySlice<UInt8> {
        bytes.dropFirst(EntryHeader.byteCount).dropLast(SignatureAlgorithm.syncSignatureByteCount)
    }

    /// Signs an entry whose body is ready.
    init(
        _ header: EntryHeader,
        body: [UInt8],
        by signer: some PeerSigner
    ) throws(SyncError) {
        let message = try header.encoded(bodyByteCount: body.count) + body
        let signature = try signer.sign(Self.signedMessage(message))
        guard signature.count == SignatureAlgorithm.syncSignatureByteCount else {
            throw .backend("a signature has \(signature.count) bytes")
        }
        self.header = header
        bytes = message + signature
        digest = try Self.digest(of: message)
    }

    /// Signs the entry by which a device leaves.
    package init(leaving header: EntryHeader, by signer: some PeerSigner) throws(SyncError) {
        try self.init(header, body: [], by: signer)
    }

    /// What names an entry.
    static func digest(of message: [UInt8]) throws(SyncError) -> SyncDigest {
        try backed { () throws(CryptographyError) in
            try SyncDigest(of: Array("sync entry".utf8) + message)
        }
    }

    /// What is signed of header and body.
    static func signedMessage(_ message: [UInt8]) -> [UInt8] {
        Array("sync entry signature".utf8) + message
    }

    /// The entry as a stream goes on from it.
    package var mark: EntryMark { EntryMark(header.place, digest, link: header.link) }

    /// Takes what a relay shows, if it is what the device signed for this place.
    ///
    /// - Parameters:
    ///   - unverified: What the relay shows.
    ///   - keys: The keys of the device whose stream it is.
    /// - Throws: `wrongSignature`; what cryptography throws.
    package init(
        _ unverified: UnverifiedEntry,
        signedBy keys: PeerKeys
    ) throws(SyncError) {
        let bytes = unverified.bytes
        let count = SignatureAlgorithm.syncSignatureByteCount
        let message = Self.signedMessage(Array(bytes.dropLast(count)))
        guard try keys.hasSigned(message, Array(bytes.suffix(count))) else {
            throw .wrongSignature
        }
        header = unverified.header
        self.bytes = bytes
        digest = unverified.digest
    }
}

/// An entry as a relay shows it: well formed, for the right account and place, and whoever's.
package struct UnverifiedEntry: Sendable, Hashable {
    package let header: EntryHeader
    package let bytes: [UInt8]
    package let digest: SyncDigest

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - bytes: What the relay shows.
    ///   - account: The account that it has to be for.
    ///   - place: Where the relay shows it.
    ///   - previous: SHA-256 of the entry before it; nil where a stream was cut off before it.
    /// - Throws: `damaged` for anything else.
    package init(
        _ bytes: [UInt8],
        of account: AccountName,
        at place: EntryPlace,
        after previous: SyncDigest?
    ) throws(SyncError) {
        var reader = FieldReader(bytes[...], of: "entry \(place.number)")
        let header = try EntryHeader(&reader)
        let count = Int(try reader.integer(UInt32.self))
        guard count <= EntryHeader.bodyByteCountLimit else {
            throw reader.damaged("its body is too large")
        }
        guard header.kind != .leave || count == 0 else {
            throw reader.damaged("it says that its author leaves, and has a body")
        }
        _ = try reader.slice(count)
        _ = try reader.slice(SignatureAlgorithm.syncSignatureByteCount)
        try reader.finish()
        guard header.account == account else { throw reader.damaged("it is for another account") }
        guard header.place == place else { throw reader.damaged("it belongs to another place") }
        guard previous == nil || header.previous == previous else {
            throw reader.damaged("it does not follow the entry before it")
        }
        self.header = header
        self.bytes = bytes
        let message = Array(bytes.dropLast(SignatureAlgorithm.syncSignatureByteCount))
        digest = try SignedEntry.digest(of: message)
    }
}
