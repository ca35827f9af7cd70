import Cryptography
import Secrets

/// A request of a device to join a circle.
///
/// - Source: Documentation/Spec/sync.md §6.
package struct JoinRequest: Sendable, Hashable {
    private static let plaintextByteCount = 1024

    package let keys: PeerKeys
    package let deviceName: String

    package init(_ keys: PeerKeys, deviceName: String) {
        self.keys = keys
        self.deviceName = DeviceName.fitting(deviceName)
    }

    /// Returns the code that people compare or type on the new device and on the approving one.
    package func fingerprint() throws(SyncError) -> SyncCode { try KeyName(of: keys).fingerprint }

    /// Opens a request, and checks that its keys name its stream and signed it.
    ///
    /// - Throws: `damaged` or `wrongSignature` if no device with this code wrote it.
    package init(_ entry: UnverifiedEntry, _ code: SyncCode) throws(SyncError) {
        let body = entry.bytes.dropFirst(EntryHeader.byteCount)
            .dropLast(SignatureAlgorithm.syncSignatureByteCount)
        let header = Array(entry.bytes.prefix(EntryHeader.byteCount))
        guard entry.header.kind == .request, entry.header.number == 0 else {
            throw .damaged("it is no request")
        }
        let plaintext: Secret
        do throws(CryptographyError) {
            plaintext = try AESGCM.open(
                body.dropFirst(AESGCM.nonceByteCount),
                key: try code.requestKey(),
                nonce: body.prefix(AESGCM.nonceByteCount),
                authenticating: header
            )
        } catch { throw SyncError(error, opening: "request") }
        self = try plaintext.withUnsafeBytes { bytes throws(SyncError) in
            try JoinRequest(decoding: bytes)
        }
        guard try KeyName(of: keys) == entry.header.stream.device else {
            throw .damaged("its keys are another device's")
        }
        _ = try SignedEntry(entry, signedBy: keys)
    }

    /// Reads the plaintext of a request.
    init(decoding bytes: UnsafeRawBufferPointer) throws(SyncError) {
        var reader = FieldReader(bytes[...], of: "request")
        let keys = try reader.keys()
        guard keys.arePoints else { throw reader.damaged("a key is no point of P-256") }
        let name = try reader.text()
        try reader.finishFilled()
        self.init(keys, deviceName: name)
    }

    /// Encodes the plaintext of a request, without filling it up.
    func encoded() throws(SyncError) -> FieldWriter {
        var writer = FieldWriter()
        writer.append(keys.signing)
        writer.append(keys.agreement)
        try writer.append(deviceName.utf8, countedBy: UInt16.self)
        return writer
    }

    /// Seals and signs a request.
    package func entry(
        _ header: EntryHeader,
        _ code: SyncCode,
        nonce: [UInt8],
        by signer: some PeerSigner
    ) throws(SyncError) -> SignedEntry {
        let plaintext = try encoded().secret(filledTo: Self.plaintextByteCount)
        let key = try backed { () throws(CryptographyError) in try code.requestKey() }
        let body = try SignedEntry.seal(plaintext, header, under: key, nonce: nonce)
        return try SignedEntry(header, body: body, by: signer)
    }
}
