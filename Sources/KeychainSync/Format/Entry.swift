import Cryptography

/// A signed entry as a relay stores it: header, body, signature.
///
/// Every `SignedEntry` has a correct signature of its device for this account and this place.
///
/// - Source: Documentation/Spec/sync.md §4.
package struct SignedEntry: Sendable, Hashable {
    package let header: EntryHeader
    /// Header, body and signature.
    package let bytes: [UInt8]
    /// The name of the entry, a digest of header and body; a signature can have a second form.
    package let digest: SyncDigest

    /// The header, which the seal of the body authenticates.
    var headerBytes: [UInt8] { Array(bytes.prefix(EntryHeader.byteCount)) }

    /// The bytes between header and signature.
    var body: ArraySlice<UInt8> {
        bytes.dropFirst(EntryHeader.byteCount).dropLast(SignatureAlgorithm.syncSignatureByteCount)
    }

    /// Signs an entry whose body is complete.
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

    /// Computes the name of an entry from its header and body.
    static func digest(of message: [UInt8]) throws(SyncError) -> SyncDigest {
        try backed { () throws(CryptographyError) in
            try SyncDigest(of: Array("sync entry".utf8) + message)
        }
    }

    /// Returns the message that a device signs for this header and body.
    static func signedMessage(_ message: [UInt8]) -> [UInt8] {
        Array("sync entry signature".utf8) + message
    }

    /// The place, digest and link of the entry.
    package var mark: EntryMark { EntryMark(header.place, digest, link: header.link) }

    /// Verifies the signature of an entry from a relay.
    ///
    /// - Parameters:
    ///   - unverified: The entry as the relay shows it.
    ///   - keys: The keys of the device whose stream it is.
    /// - Throws: `wrongSignature`; `backend` if cryptography fails.
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

/// An entry from a relay: well formed, for the right account and place, but not yet verified.
package struct UnverifiedEntry: Sendable, Hashable {
    package let header: EntryHeader
    package let bytes: [UInt8]
    package let digest: SyncDigest

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that the relay shows.
    ///   - account: The account that the entry must name.
    ///   - place: The place at which the relay shows it.
    ///   - previous: The digest of the entry before it; nil if the relay has dropped that entry.
    /// - Throws: `damaged` if the bytes break the format or do not fit account, place and
    ///   previous entry.
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
