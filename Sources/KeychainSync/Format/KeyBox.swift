import Cryptography
import Secrets

/// What a member gives to one peer, or to the recovery key: the keys of epochs, and the statements.
package struct KeyGift: Sendable {
    package var epochs: [EpochName: SharedSecret] = [:]
    package var statements: [Statement] = []

    package init() {}
}

// The boxes of an entry of keys.
//
// Source: Documentation/Spec/sync.md §3.2.
extension SignedEntry {
    /// The number of boxes is a multiple of this.
    private static let boxCountStep = 4

    /// Seals a box for each reader, fills up with boxes that nobody can open, and signs.
    ///
    /// - Parameters:
    ///   - gift: What each of them gets.
    ///   - readers: The agreement keys, 65 bytes each.
    ///   - header: Of the kind keys.
    ///   - signer: Whose stream it is.
    ///   - makeKey: Makes a fresh pair on P-256.
    /// - Throws: `tooLarge`; what the signer throws.
    package init(
        _ gift: KeyGift,
        for readers: [[UInt8]],
        _ header: EntryHeader,
        by signer: some PeerSigner,
        makeKey: () throws(CryptographyError) -> PrivateKey = { () throws(CryptographyError) in
            try PrivateKey.generate(.ellipticCurve(.p256))
        }
    ) throws(SyncError) {
        let writer = try KeyBox.encode(gift)
        let filled = SizeBucket.byteCount(for: writer.byteCount)
        let plaintext = writer.secret(filledTo: filled)
        var readers = readers
        while readers.isEmpty || readers.count % Self.boxCountStep != 0 {
            let nobody = try backed(makeKey)
            readers.append(nobody.publicKey.externalRepresentation)
        }
        let boxByteCount = PeerKeys.publicKeyByteCount + filled + AESGCM.tagByteCount
        let authenticated = try header.encoded(bodyByteCount: readers.count * (4 + boxByteCount))
        var body = FieldWriter()
        for reader in readers {
            let fresh = try SoftwareSigner(agreement: try backed(makeKey))
            let key = try KeyBox.key(
                try fresh.agree(with: reader),
                header.account,
                fresh: fresh.keys.agreement,
                reader: reader
            )
            let sealed = try backed { () throws(CryptographyError) in
                try AESGCM.seal(
                    plaintext,
                    key: key,
                    nonce: KeyBox.nonce,
                    authenticating: authenticated
                )
            }
            try body.append(fresh.keys.agreement + sealed, countedBy: UInt32.self)
        }
        try self.init(header, body: body.bytes(), by: signer)
    }

    /// Opens the box that is for a reader; nil if none is.
    ///
    /// - Throws: `damaged` for what no peer writes.
    package func gift(
        for reader: some PeerSigner,
        _ statements: inout StatementReader
    ) throws(SyncError) -> KeyGift? {
        try KeyBox.gift(in: body, headerBytes, of: header, for: reader, &statements)
    }
}

extension UnverifiedEntry {
    /// Opens a box before it is known who is a member: what is in it tells.
    ///
    /// - Throws: `damaged` for what no peer writes.
    package func gift(
        for reader: some PeerSigner,
        _ statements: inout StatementReader
    ) throws(SyncError) -> KeyGift? {
        let body = bytes.dropFirst(EntryHeader.byteCount)
            .dropLast(SignatureAlgorithm.syncSignatureByteCount)
        let headerBytes = Array(bytes.prefix(EntryHeader.byteCount))
        return try KeyBox.gift(in: body, headerBytes, of: header, for: reader, &statements)
    }
}

enum KeyBox {
    /// The key seals one box.
    static let nonce = [UInt8](repeating: 0, count: AESGCM.nonceByteCount)
    private static let epochCountLimit = 4096
    private static let statementCountLimit = 65536

    static func key(
        _ shared: borrowing Secret,
        _ account: AccountName,
        fresh: [UInt8],
        reader: [UInt8]
    ) throws(SyncError) -> Secret {
        do throws(CryptographyError) {
            return try HKDF.deriveKey(
                from: shared,
                salt: [],
                info: Array("sync box".utf8) + account.bytes + fresh + reader,
                byteCount: AESGCM.keyByteCount
            )
        } catch { throw .backend("\(error)") }
    }

    static func encode(_ gift: KeyGift) throws(SyncError) -> FieldWriter {
        guard gift.epochs.count <= epochCountLimit,
            gift.statements.count <= statementCountLimit
        else { throw .tooLarge }
        var writer = FieldWriter()
        writer.append(UInt16(gift.epochs.count))
        for (epoch, key) in gift.epochs.sorted(by: { $0.key < $1.key }) {
            writer.append(epoch)
            writer.append(key)
        }
        writer.append(UInt32(gift.statements.count))
        for statement in gift.statements {
            try writer.append(statement.encoded, countedBy: UInt32.self)
        }
        return writer
    }

    static func gift(
        in body: ArraySlice<UInt8>,
        _ headerBytes: [UInt8],
        of header: EntryHeader,
        for reader: some PeerSigner,
        _ statements: inout StatementReader
    ) throws(SyncError) -> KeyGift? {
        guard header.kind == .keys else { return nil }
        var boxes = FieldReader(body, of: "keys \(header.number)")
        while !boxes.rest.isEmpty {
            let box = try boxes.counted(UInt32.self)
            let fresh = Array(box.prefix(PeerKeys.publicKeyByteCount))
            let sealed = box.dropFirst(fresh.count)
            guard sealed.count >= AESGCM.tagByteCount else {
                throw boxes.damaged("a box is too short")
            }
            guard let plaintext = try open(sealed, fresh, headerBytes, header, reader) else {
                continue
            }
            return try plaintext.secret.withUnsafeBytes { bytes throws(SyncError) in
                try decode(bytes, of: header, &statements)
            }
        }
        return nil
    }

    /// nil if the box is not for this reader.
    private static func open(
        _ sealed: ArraySlice<UInt8>,
        _ fresh: [UInt8],
        _ headerBytes: [UInt8],
        _ header: EntryHeader,
        _ reader: some PeerSigner
    ) throws(SyncError) -> SharedSecret? {
        let key: Secret
        do throws(SyncError) {
            let shared = try reader.agree(with: fresh)
            key = try Self.key(shared, header.account, fresh: fresh, reader: reader.keys.agreement)
        } catch {
            guard case .damaged = error else { throw error }
            return nil
        }
        do throws(CryptographyError) {
            return SharedSecret(
                try AESGCM.open(sealed, key: key, nonce: nonce, authenticating: headerBytes)
            )
        } catch {
            guard case .backend(let reason) = error else { return nil }
            throw .backend(reason)
        }
    }

    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        of header: EntryHeader,
        _ statements: inout StatementReader
    ) throws(SyncError) -> KeyGift {
        var reader = FieldReader(bytes[...], of: "keys \(header.number)")
        var gift = KeyGift()
        var last: EpochName?
        for _ in 0..<(try reader.integer(UInt16.self)) {
            let epoch = try reader.name(EpochName.self)
            guard last.map({ $0 < epoch }) ?? true else { throw reader.damaged("unsorted epochs") }
            last = epoch
            let bytes = UnsafeRawBufferPointer(rebasing: try reader.slice(AESGCM.keyByteCount))
            let key = Secret(copying: bytes)
            let name = try backed { () throws(CryptographyError) in try EpochName(of: key) }
            guard name == epoch else { throw reader.damaged("a key has the name of another") }
            gift.epochs[epoch] = SharedSecret(key)
        }
        let count = try reader.integer(UInt32.self)
        guard count <= statementCountLimit else { throw reader.damaged("too many statements") }
        var encoded: [[UInt8]] = []
        for _ in 0..<count { encoded.append(Array(try reader.counted(UInt32.self))) }
        try reader.finishFilled()
        gift.statements = try statements.readAll(encoded)
        return gift
    }
}
