import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// Why a row did not open.
enum CipherError: Error, Equatable {
    /// The row is not what was sealed: edited, put together, damaged, or under another key.
    case damaged
    case cryptography(CryptographyError)
    /// The class key is not in memory.
    case unavailable(DeviceError)
}

/// Seals items into rows and opens rows into items.
///
/// Each half has a random 32-byte key of its own, wrapped (AES key wrap, RFC 3394): the metadata
/// half's under the metadata key of its protection class, the value's under the class key itself.
/// The bodies are AES-256-GCM with the row's columns as associated data.
/// - Source: Documentation/Spec/item.md §4; requirements STO-02, STO-03, SAC-37.
struct ItemCipher: Sendable {
    static let version: UInt8 = 1
    private static let bindingByteCount = 16
    private static let wrappedByteCount = AESKeyWrap.keyByteCount + AESKeyWrap.checkByteCount

    /// Which half; the byte stands in the associated data.
    private enum Half: UInt8 { case metadata = 1, secret = 2 }

    let random: any RandomSource

    /// A sealed half with the random value that ties both halves together.
    struct Binding: Sendable { let bytes: [UInt8] }

    func makeBinding() throws(CryptographyError) -> Binding {
        Binding(bytes: try random.bytes(Self.bindingByteCount))
    }
}

// Sealing.
extension ItemCipher {
    /// version ‖ binding ‖ wrapped key ‖ nonce ‖ ciphertext ‖ tag.
    func sealMetadata(
        of item: PlainItem,
        columns: ItemColumns,
        binding: Binding,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CryptographyError) -> [UInt8] {
        let associated = Self.associatedData(.metadata, columns, binding)
        let body = try seal(
            Secret(copying: ItemFormat.encode(item)),
            associated,
            under: key
        )
        return [Self.version] + binding.bytes + body
    }

    /// version ‖ wrapped key ‖ nonce ‖ ciphertext ‖ tag, or the frame of a gated half.
    func sealSecret(
        _ secret: borrowing Secret,
        columns: ItemColumns,
        binding: Binding,
        gate: Gate? = nil,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CryptographyError) -> [UInt8] {
        let associated = Self.associatedData(.secret, columns, binding)
        guard let gate else { return [Self.version] + (try seal(secret, associated, under: key)) }
        let body = try seal(secret, associated + gate.bytes, gate: gate.key, under: key)
        return GatedHalf.encode(gate: gate.bytes, body: body)
    }

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

    /// The whole row: which half, and every column, so that none can be edited unnoticed.
    private static func associatedData(
        _ half: Half,
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
        return bytes
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(UInt8(clamping: part.count))
        bytes += part
    }
}

// Opening.
extension ItemCipher {
    /// The binding that the metadata half carries in the clear; nil for a half that is too short.
    func binding(of item: SealedItem) -> Binding? {
        guard item.metadata.count > 1 + Self.bindingByteCount, item.metadata[0] == Self.version
        else { return nil }
        return Binding(bytes: Array(item.metadata[1..<1 + Self.bindingByteCount]))
    }

    func openMetadata(
        of item: SealedItem,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> PlainItem {
        guard let binding = binding(of: item) else { throw .damaged }
        let body = item.metadata[(1 + Self.bindingByteCount)...]
        let associated = Self.associatedData(.metadata, item.columns, binding)
        let plaintext = try open(body, associated, under: key)
        let plain = plaintext.withUnsafeBytes { ItemFormat.decode($0, of: item.columns) }
        guard let plain else { throw .damaged }
        return plain
    }

    /// The value; of a gated half, the gate's key is needed beside the class key.
    func openSecret(
        of item: SealedItem,
        gate: SharedSecret? = nil,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> Secret {
        guard let binding = binding(of: item), let sealed = item.secret else { throw .damaged }
        let associated = Self.associatedData(.secret, item.columns, binding)
        if let gate {
            guard let half = GatedHalf(sealed) else { throw .damaged }
            return try open(half.body, associated + half.gate, gate: gate, under: key)
        }
        guard sealed.first == Self.version else { throw .damaged }
        return try open(sealed[1...], associated, under: key)
    }

    func open(
        _ body: ArraySlice<UInt8>,
        _ associated: [UInt8],
        gate: SharedSecret? = nil,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> Secret {
        let wrapped = body.prefix(Self.wrappedByteCount)
        let rest = body.dropFirst(Self.wrappedByteCount)
        let nonce = rest.prefix(AESGCM.nonceByteCount)
        guard nonce.count == AESGCM.nonceByteCount else { throw .damaged }
        do throws(CryptographyError) {
            let itemKey = try key.unwrap(wrapped)
            return try AESGCM.open(
                rest.dropFirst(AESGCM.nonceByteCount),
                key: try GatedHalf.key(itemKey, gate),
                nonce: nonce,
                authenticating: associated
            )
        } catch {
            throw Self.isDamage(error) ? .damaged : .cryptography(error)
        }
    }

    /// Tells whether a body was sealed under a key; opens nothing of it.
    ///
    /// - Throws: `damaged` if it was not.
    func checkWrap(
        of body: ArraySlice<UInt8>,
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) {
        do throws(CryptographyError) {
            _ = try key.unwrap(Array(body.prefix(Self.wrappedByteCount)))
        } catch {
            throw Self.isDamage(error) ? .damaged : .cryptography(error)
        }
    }

    private static func isDamage(_ error: CryptographyError) -> Bool {
        switch error {
        case .authenticationFailed, .invalidKeySize, .invalidInput: true
        case .backend: false
        }
    }
}
