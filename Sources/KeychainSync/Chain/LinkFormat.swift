import Cryptography
import Secrets

/// The bytes of a link.
///
/// - Source: Documentation/Spec/sync.md §2.1.
package enum LinkFormat {
    static let magic = Array("KSYL".utf8)
    package static let version: UInt8 = 2
    /// The bytes of magic, version, account and number, which are not encrypted.
    static let headerByteCount = 29
    /// The plaintext of a link is filled with zeros to a multiple of this.
    private static let fillByteCount = 256
    /// The most bytes of a link as a relay stores it: 64 KiB.
    package static let byteCountLimit = 1 << 16

    // MARK: Digest and signature

    static func digest(of content: LinkContent) throws(SyncError) -> SyncDigest {
        var writer = FieldWriter()
        writer.append("sync link".utf8)
        writer.append(content.number)
        writer.append(try encode(content))
        let message = writer.bytes()
        return try backed { () throws(CryptographyError) in try SyncDigest(of: message) }
    }

    static func signedMessage(_ digest: SyncDigest) -> [UInt8] {
        Array("sync link signature".utf8) + digest.bytes
    }

    // MARK: Content

    static func encode(_ content: LinkContent) throws(SyncError) -> [UInt8] {
        var writer = FieldWriter()
        writer.append(content.previous)
        writer.append(UInt8(clamping: content.signers.count))
        for place in content.signers { writer.append(place) }
        writer.append(content.time)
        try writer.append(countOf: content.changes.added.count)
        for newcomer in content.changes.added {
            writer.append(newcomer.keys.signing)
            writer.append(newcomer.keys.agreement)
            writer.append(newcomer.isKeeper)
            try writer.append(newcomer.deviceName.utf8, countedBy: UInt16.self)
        }
        try writer.append(names: content.changes.removed)
        try writer.append(names: content.changes.promoted)
        switch content.changes.recovery {
        case .unchanged: writer.append(0 as UInt8)
        case .none: writer.append(1 as UInt8)
        case .keys(let keys):
            writer.append(2 as UInt8)
            writer.append(keys.signing)
            writer.append(keys.agreement)
        }
        writer.append(content.boxesDigest)
        writer.append(content.newKey != nil)
        if let newKey = content.newKey { writer.append(newKey) }
        try writer.append(countOf: content.earlierKeys.count)
        for earlier in content.earlierKeys {
            writer.append(earlier.name)
            writer.append(earlier.sealed)
        }
        return writer.bytes()
    }

    static func decode<Bytes: RandomAccessCollection<UInt8>>(
        _ reader: inout FieldReader<Bytes>,
        number: UInt64
    ) throws(SyncError) -> LinkContent where Bytes.SubSequence == Bytes {
        let previous = try reader.name(SyncDigest.self)
        let signerCount = try reader.integer(UInt8.self)
        guard (1...2).contains(signerCount) else { throw reader.damaged("it has no signers") }
        var signers: [UInt16] = []
        for _ in 0..<signerCount { signers.append(try reader.integer(UInt16.self)) }
        guard signers.count == 1 || signers[0] < signers[1] else {
            throw reader.damaged("its signers are not sorted")
        }
        let time = try reader.integer(UInt64.self)
        var changes = Link.Changes()
        for _ in 0..<(try reader.integer(UInt16.self)) {
            let keys = try reader.keys()
            let isKeeper = try reader.flag()
            let deviceName = try reader.text()
            changes.added.append(
                try Link.Newcomer(keys, deviceName: deviceName, isKeeper: isKeeper)
            )
        }
        changes.removed = try reader.names()
        changes.promoted = try reader.names()
        switch try reader.integer(UInt8.self) {
        case 0: changes.recovery = .unchanged
        case 1: changes.recovery = .none
        case 2: changes.recovery = .keys(try reader.keys())
        default: throw reader.damaged("its recovery key is unknown")
        }
        let boxesDigest = try reader.name(SyncDigest.self)
        let newKey = try reader.flag() ? try reader.name(SealName.self) : nil
        var earlierKeys: [Link.EarlierKey] = []
        for _ in 0..<(try reader.integer(UInt16.self)) {
            let name = try reader.name(SealName.self)
            let sealed = try reader.bytes(Link.EarlierKey.sealedByteCount)
            earlierKeys.append(Link.EarlierKey(name, sealed: sealed))
        }
        return LinkContent(
            number: number,
            previous: previous,
            signers: signers,
            time: time,
            changes: changes,
            boxesDigest: boxesDigest,
            newKey: newKey,
            earlierKeys: earlierKeys
        )
    }

    // MARK: Seal

    /// Seals a link for the relay under a key that is derived from the circle's code.
    ///
    /// - Throws: `tooLarge` above `byteCountLimit`.
    package static func seal(
        _ link: Link,
        _ code: SyncCode,
        nonce: [UInt8]
    ) throws(SyncError) -> [UInt8] {
        let header = magic + [version] + (try code.accountName()).bytes + bigEndian(link.number)
        var writer = FieldWriter()
        writer.append(try encode(link.content))
        for signature in link.signatures { writer.append(signature) }
        let steps = (writer.byteCount + fillByteCount - 1) / fillByteCount
        let plaintext = writer.secret(filledTo: steps * fillByteCount)
        let key = try backed { () throws(CryptographyError) in try code.linkKey() }
        let sealed = try backed { () throws(CryptographyError) in
            try AESGCM.seal(plaintext, key: key, nonce: nonce, authenticating: header)
        }
        let bytes = header + nonce + sealed
        guard bytes.count <= byteCountLimit else { throw .tooLarge }
        return bytes
    }

    /// Opens and reads a link; it does not check signatures.
    ///
    /// - Throws: `damaged` if the bytes are not a link of this circle in this version.
    package static func open(_ bytes: [UInt8], _ code: SyncCode) throws(SyncError) -> Link {
        var reader = FieldReader(bytes[...], of: "a link")
        guard bytes.count <= byteCountLimit else { throw reader.damaged("it is too large") }
        try reader.expect(magic, "it is none")
        let version = try reader.integer(UInt8.self)
        guard version == Self.version else {
            throw reader.damaged("its version is \(version); this program knows \(Self.version)")
        }
        let account = try reader.name(AccountName.self)
        guard account == (try code.accountName()) else {
            throw reader.damaged("it belongs to another circle")
        }
        let number = try reader.integer(UInt64.self)
        let nonce = try reader.slice(AESGCM.nonceByteCount)
        let plaintext: Secret
        do throws(CryptographyError) {
            plaintext = try AESGCM.open(
                reader.rest,
                key: try code.linkKey(),
                nonce: nonce,
                authenticating: Array(bytes.prefix(headerByteCount))
            )
        } catch { throw SyncError(error, opening: "a link") }
        return try plaintext.withUnsafeBytes { plain throws(SyncError) in
            var reader = FieldReader(plain[...], of: "link \(number)")
            let content = try decode(&reader, number: number)
            var signatures: [[UInt8]] = []
            for _ in content.signers {
                signatures.append(try reader.bytes(SignatureAlgorithm.syncSignatureByteCount))
            }
            try reader.finishFilled()
            return Link(content, try digest(of: content), signatures: signatures)
        }
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: number)
        return bytes
    }
}

extension Link {
    /// Signs a link with the keys that the content names, in the same order.
    init(_ content: LinkContent, by signers: [any PeerSigner]) throws(SyncError) {
        let digest = try LinkFormat.digest(of: content)
        var signatures: [[UInt8]] = []
        for signer in signers {
            let signature = try signer.sign(LinkFormat.signedMessage(digest))
            guard signature.count == SignatureAlgorithm.syncSignatureByteCount else {
                throw .backend("a signature has \(signature.count) bytes")
            }
            signatures.append(signature)
        }
        self.init(content, digest, signatures: signatures)
    }

    /// Whether all signatures are correct, given the keys in the order of the signers.
    func isSigned(by keys: [PeerKeys]) throws(SyncError) -> Bool {
        guard keys.count == signatures.count else { return false }
        let message = LinkFormat.signedMessage(digest)
        for (keys, signature) in zip(keys, signatures) {
            guard try keys.hasSigned(message, signature) else { return false }
        }
        return true
    }
}

extension SyncCode {
    /// Derives the key under which every link of the circle is sealed.
    func linkKey() throws(CryptographyError) -> Secret {
        try HKDF.deriveKey(
            from: Secret(copying: bytes),
            salt: [],
            info: Array("sync link".utf8),
            byteCount: AESGCM.keyByteCount
        )
    }
}

extension FieldWriter {
    fileprivate mutating func append(countOf count: Int) throws(SyncError) {
        guard let count = UInt16(exactly: count) else { throw .tooLarge }
        append(count)
    }

    fileprivate mutating func append(names: [KeyName]) throws(SyncError) {
        try append(countOf: names.count)
        for name in names { append(name) }
    }
}

extension FieldReader {
    /// Takes two public keys.
    mutating func keys() throws(SyncError) -> PeerKeys {
        let signing = try bytes(PeerKeys.publicKeyByteCount)
        let agreement = try bytes(PeerKeys.publicKeyByteCount)
        guard let keys = PeerKeys(signing: signing, agreement: agreement) else {
            throw damaged("a key is none")
        }
        return keys
    }

    fileprivate mutating func names() throws(SyncError) -> [KeyName] {
        var names: [KeyName] = []
        for _ in 0..<(try integer(UInt16.self)) { names.append(try name(KeyName.self)) }
        return names
    }
}
