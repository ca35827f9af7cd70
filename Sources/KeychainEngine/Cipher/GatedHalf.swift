import Cryptography
import KeychainModel
import Secrets

/// The frame of a value that a gate guards in addition to the class key: the gate, then the body.
///
/// 2 ‖ byte count of the gate (2 bytes, little-endian) ‖ gate ‖ body
/// - Source: Documentation/Spec/item.md §9.
struct GatedHalf: Sendable {
    static let version: UInt8 = 2
    let gate: [UInt8]
    let body: ArraySlice<UInt8>

    /// Assembles a frame; a gate has a few hundred bytes, and at most 65,535 fit.
    static func encode(gate: [UInt8], body: [UInt8]) -> [UInt8] {
        [version] + Coercion.littleEndian(UInt16(clamping: gate.count)) + gate + body
    }

    /// Parses a frame; returns nil for anything else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3, bytes[0] == Self.version else { return nil }
        let byteCount = Int(bytes[1]) | Int(bytes[2]) << 8
        guard bytes.count >= 3 + byteCount else { return nil }
        gate = Array(bytes[3..<3 + byteCount])
        body = bytes[(3 + byteCount)...]
    }

    /// Derives the key of the body from the half's own key and the gate's.
    static func key(
        _ itemKey: consuming Secret,
        _ gateKey: SharedSecret?
    ) throws(CryptographyError) -> Secret {
        guard let gateKey else { return itemKey }
        return try HKDF.deriveKey(
            from: Secret(concatenating: itemKey, gateKey.secret),
            salt: [],
            info: [UInt8]("gated half".utf8),
            byteCount: AESGCM.keyByteCount
        )
    }
}
