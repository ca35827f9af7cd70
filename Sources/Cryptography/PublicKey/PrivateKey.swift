import Secrets

/// A private key; its bytes stay inside libcrypto's object unless they are exported.
///
/// Copies share that object, which is cleansed with the last of them. Every use is safe from any
/// thread.
package struct PrivateKey: Sendable, CustomStringConvertible {
    /// The public half.
    package let publicKey: PublicKey

    /// libcrypto's form of the pair.
    let handle: KeyHandle

    /// The kind of the key.
    package var kind: KeyKind { publicKey.kind }

    /// The kind and nothing else, for messages and logs.
    package var description: String { "PrivateKey(\(kind))" }

    /// Generates a new key from the system's random bytes.
    ///
    /// - Parameter kind: RSA moduli of 512 to 8192 bits; 65537 is the public exponent.
    /// - Returns: The pair.
    /// - Throws: `invalidInput` for another size; `backend`.
    package static func generate(_ kind: KeyKind) throws(CryptographyError) -> PrivateKey {
        if case .rsa(let bitCount) = kind {
            guard KeyKind.rsaBitCounts.contains(bitCount) else {
                throw .invalidInput("RSA modulus not of 512 to 8192 bits")
            }
        }
        return try PrivateKey(handle: KeyHandle.generate(kind), family: kind.family)
    }

    /// Takes over a checked pair and derives the public half from it.
    init(handle: KeyHandle, family: KeyFamily) throws(CryptographyError) {
        self.handle = handle
        publicKey = try PublicKey(
            family: family,
            externalRepresentation: handle.publicRepresentation(of: family)
        )
    }
}
