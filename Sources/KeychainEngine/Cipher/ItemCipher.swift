import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// The reason why a row did not open.
enum CipherError: Error, Equatable {
    /// The row was edited, assembled from several rows, damaged, or sealed under another key.
    case damaged
    case cryptography(CryptographyError)
    /// The class key is not in memory.
    case unavailable(DeviceError)
}

/// The cipher that seals items into rows and opens rows into items.
///
/// Each half has a random 32-byte key of its own in an envelope. The metadata key of the protection
/// class wraps the key of the metadata half, and the class key wraps that of the value. The
/// associated data of the attributes contain all columns of the row. Those of the value contain
/// only the name of the row, so that a search by primary key reads no other columns.
/// - Source: Documentation/Spec/item.md §4; requirements STO-02, STO-03, SAC-37.
struct ItemCipher: Sendable {
    /// The version byte of the metadata half.
    static let metadataVersion: UInt8 = 2
    /// The version byte of a value without a gate.
    static let secretVersion = SealedValue.version
    /// The version byte of both halves before envelopes: still read, never written.
    static let earlierVersion: UInt8 = 1
    static let wrappedByteCount = AESKeyWrap.keyByteCount + AESKeyWrap.checkByteCount

    /// The half of a row; its byte is part of the associated data.
    enum Half: UInt8 { case metadata = 1, secret = 2 }

    let random: any RandomSource

    /// A random value that ties both halves of a row together.
    struct Binding: Sendable { let bytes: [UInt8] }

    func makeBinding() throws(CryptographyError) -> Binding {
        Binding(bytes: try random.bytes(RowMark.bindingByteCount))
    }
}

// Sealing.
extension ItemCipher {
    /// Returns version ‖ binding ‖ envelope.
    func sealMetadata(
        of item: PlainItem,
        columns: ItemColumns,
        binding: Binding,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CryptographyError) -> [UInt8] {
        let version = Self.metadataVersion
        let associated = Self.associatedData(.metadata, version, columns, binding)
        let entries = Secret(copying: ItemFormat.encode(item))
        return [version] + binding.bytes + (try sealEnvelope(entries, associated, under: key))
    }

    /// Returns version ‖ envelope, or the frame of a gated half.
    func sealSecret(
        _ secret: borrowing Secret,
        columns: ItemColumns,
        binding: Binding,
        gate: Gate? = nil,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CryptographyError) -> [UInt8] {
        guard let gate else {
            let row = RowName(columns, binding)
            let envelope = try sealEnvelope(secret, row.associatedData, under: key)
            return [Self.secretVersion] + envelope
        }
        let associated = Self.associatedData(.secret, Self.earlierVersion, columns, binding)
        let body = try seal(secret, associated + gate.bytes, gate: gate.key, under: key)
        return GatedHalf.encode(gate: gate.bytes, body: body)
    }

    private func sealEnvelope(
        _ plaintext: borrowing Secret,
        _ associated: [UInt8],
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CryptographyError) -> [UInt8] {
        try key.sealEnvelope(
            plaintext,
            key: try random.secret(AESGCM.keyByteCount),
            nonce: try random.bytes(AESGCM.nonceByteCount),
            authenticating: associated
        )
    }

    /// Returns wrapped key ‖ nonce ‖ ciphertext ‖ tag; a gate's key is mixed into the item key.
    func seal(
        _ plaintext: borrowing Secret,
        _ associated: [UInt8],
        gate: SharedSecret? = nil,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CryptographyError) -> [UInt8] {
        let itemKey = try random.secret(AESGCM.keyByteCount)
        let nonce = try random.bytes(AESGCM.nonceByteCount)
        let wrapped = try key.wrap(itemKey)
        let sealed = try AESGCM.seal(
            plaintext,
            key: try GatedHalf.key(itemKey, gate),
            nonce: nonce,
            authenticating: associated
        )
        return wrapped + nonce + sealed
    }

    /// Returns the half and every column of the row, so that every edit is detected.
    static func associatedData(
        _ half: Half,
        _ version: UInt8,
        _ columns: ItemColumns,
        _ binding: Binding
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(60 + columns.digests.encoded.count)
        bytes.append(version)
        bytes.append(half.rawValue)
        bytes += columns.itemClass.rawValue.utf8
        bytes.append(columns.protection.rawValue)
        bytes.append(columns.isSynchronizable ? 1 : 0)
        bytes.append(columns.isTombstone ? 1 : 0)
        append(columns.reference, to: &bytes)
        append(columns.primaryKey, to: &bytes)
        append(binding.bytes, to: &bytes)
        bytes += columns.digests.encoded
        // The columns before it have a fixed count, so an absent public key adds nothing.
        if let publicKey = columns.publicKey { append(publicKey, to: &bytes) }
        return bytes
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(UInt8(clamping: part.count))
        bytes += part
    }
}

// Opening.
extension ItemCipher {
    /// Returns the binding, which the metadata half carries in the clear; nil if the half is too
    /// short.
    func binding(of item: SealedItem) -> Binding? {
        guard item.metadata.count > 1 + RowMark.bindingByteCount,
            Self.isMetadata(version: item.metadata[0])
        else { return nil }
        return Binding(bytes: item.binding)
    }

    private static func isMetadata(version: UInt8) -> Bool {
        version == metadataVersion || version == earlierVersion
    }

    func openMetadata(
        of item: SealedItem,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> PlainItem {
        guard let binding = binding(of: item) else { throw .damaged }
        let body = item.metadata[(1 + RowMark.bindingByteCount)...]
        let version = item.metadata[0]
        let associated = Self.associatedData(.metadata, version, item.columns, binding)
        let plaintext =
            version == Self.earlierVersion
            ? try open(body, associated, under: key)
            : try openEnvelope(body, associated, under: key)
        let plain = plaintext.withUnsafeBytes { ItemFormat.decode($0, of: item.columns) }
        guard let plain else { throw .damaged }
        return plain
    }

    /// Returns the value; a gated half needs the gate's key in addition to the class key.
    func openSecret(
        of item: SealedItem,
        gate: SharedSecret? = nil,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> Secret {
        guard let binding = binding(of: item), let sealed = item.secret else { throw .damaged }
        if let gate {
            guard let half = GatedHalf(sealed) else { throw .damaged }
            let associated = Self.associatedData(
                .secret,
                Self.earlierVersion,
                item.columns,
                binding
            )
            return try open(half.body, associated + half.gate, gate: gate, under: key)
        }
        switch sealed.first {
        case Self.secretVersion? where item.metadata[0] == Self.metadataVersion:
            let row = RowName(item.columns, binding)
            return try openEnvelope(sealed[1...], row.associatedData, under: key)
        case let version? where version == Self.earlierVersion:
            let associated = Self.associatedData(.secret, version, item.columns, binding)
            return try open(sealed[1...], associated, under: key)
        default: throw .damaged
        }
    }

    /// Returns the value of a row of which only the columns that its seal needs were read.
    ///
    /// - Throws: `damaged` also for a value of another version, which needs the whole row.
    func openSecret(
        of value: SealedValue,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> Secret {
        guard value.metadataVersion == Self.metadataVersion,
            value.sealed.first == Self.secretVersion
        else { throw .damaged }
        let envelope = UnsafeRawBufferPointer(rebasing: value.sealed.dropFirst())
        return try openEnvelope(envelope, value.associatedData, under: key)
    }

    private func openEnvelope(
        _ envelope: ArraySlice<UInt8>,
        _ associated: [UInt8],
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> Secret {
        try envelope.span.withUnsafeBytes { envelope throws(CipherError) in
            try openEnvelope(envelope, associated, under: key)
        }
    }

    private func openEnvelope(
        _ envelope: UnsafeRawBufferPointer,
        _ associated: [UInt8],
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> Secret {
        do throws(CryptographyError) {
            return try key.openEnvelope(envelope, authenticating: associated)
        } catch {
            throw CipherError(error)
        }
    }

    /// Opens the result of `seal`.
    func open(
        _ body: ArraySlice<UInt8>,
        _ associated: [UInt8],
        gate: SharedSecret? = nil,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> Secret {
        try open(body, associated, gate: gate, itemKey: try unwrapKey(of: body, under: key))
    }

    /// Opens the result of `seal` with the key that `unwrapKey` returned.
    func open(
        _ body: ArraySlice<UInt8>,
        _ associated: [UInt8],
        gate: SharedSecret? = nil,
        itemKey: consuming Secret
    ) throws(CipherError) -> Secret {
        let rest = body.dropFirst(Self.wrappedByteCount)
        let nonce = rest.prefix(AESGCM.nonceByteCount)
        guard nonce.count == AESGCM.nonceByteCount else { throw .damaged }
        do throws(CryptographyError) {
            return try AESGCM.open(
                rest.dropFirst(AESGCM.nonceByteCount),
                key: try GatedHalf.key(itemKey, gate),
                nonce: nonce,
                authenticating: associated
            )
        } catch {
            throw CipherError(error)
        }
    }

    /// Unwraps the key at the start of a sealed half, and reads nothing after it.
    ///
    /// - Throws: `damaged` if the half was not sealed under that key.
    func unwrapKey(
        of body: ArraySlice<UInt8>,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> Secret {
        do throws(CryptographyError) {
            return try key.unwrap(Array(body.prefix(Self.wrappedByteCount)))
        } catch {
            throw CipherError(error)
        }
    }
}

extension CipherError {
    /// Treats every failure to open as damage, unless libcrypto itself failed.
    init(_ error: CryptographyError) {
        switch error {
        case .authenticationFailed, .invalidKeySize, .invalidInput: self = .damaged
        case .backend: self = .cryptography(error)
        }
    }
}
