import Cryptography
import Secrets

/// A key that a person keeps on paper; it lets a device join, and outranks all keepers.
///
/// It has 256 random bits, from which two key pairs are derived. People read and type it as 52
/// characters in thirteen groups of four. The last four bits detect typing errors.
///
/// - Source: Documentation/Spec/sync.md §9.
package struct RecoveryKey: ~Copyable, Sendable {
    package static let seedByteCount = 32
    private static let characterCount = 52
    private static let groupCount = 4

    private let seed: Secret

    /// Creates a key from 32 random bytes.
    package init(_ seed: consuming Secret) { self.seed = seed }

    /// Reads a typed key; nil if its length, its characters or its check bits are wrong.
    package init?(typed text: borrowing Secret) throws(SyncError) {
        guard let bits = CrockfordText.bytes(of: text, characterCount: Self.characterCount),
            bits.byteCount == Self.seedByteCount + 1
        else { return nil }
        let seed = bits.withUnsafeBytes { Secret(copying: $0.prefix(Self.seedByteCount)) }
        let check = bits.withUnsafeBytes { $0[Self.seedByteCount] }
        guard try Self.check(of: seed) == check else { return nil }
        self.seed = seed
    }

    /// Returns the text that a person writes down: 64 bytes of ASCII, hyphens included.
    package borrowing func text() throws(SyncError) -> Secret {
        let check = Secret(copying: [try Self.check(of: seed)])
        return CrockfordText.text(
            of: Secret(concatenating: seed, check),
            characterCount: Self.characterCount,
            groupCount: Self.groupCount
        )
    }

    /// Computes the four check bits, in the upper half of a byte.
    private static func check(of seed: borrowing Secret) throws(SyncError) -> UInt8 {
        let message = Secret(concatenating: Secret(copying: "sync recovery".utf8), seed)
        return try backed { () throws(CryptographyError) in
            try message.withUnsafeBytes { bytes throws(CryptographyError) in
                try Digest.sha256(bytes)
            }
        }[0] & 0xF0
    }

    /// Derives the two key pairs.
    package borrowing func signer() throws(SyncError) -> SoftwareSigner {
        try SoftwareSigner(
            signing: try derive("sync recovery signing"),
            agreement: try derive("sync recovery agreement")
        )
    }

    /// Derives a key pair on P-256 from the first of four attempts that gives a valid scalar.
    private borrowing func derive(_ purpose: String) throws(SyncError) -> PrivateKey {
        for attempt in 0..<4 as Range<UInt8> {
            let scalar: Secret
            do throws(CryptographyError) {
                scalar = try HKDF.deriveKey(
                    from: seed,
                    salt: [],
                    info: Array(purpose.utf8) + [attempt],
                    byteCount: EllipticCurve.p256.scalarByteCount
                )
            } catch { throw .backend("\(error)") }
            if let key = try? PrivateKey(scalar: scalar, on: .p256) { return key }
        }
        throw .backend("no key follows from the recovery key")
    }
}
