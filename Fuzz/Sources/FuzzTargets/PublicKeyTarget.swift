@testable import Cryptography

extension FuzzTarget {
    /// A public key or a signature; the first byte chooses SubjectPublicKeyInfo, an ECDSA
    /// signature or one of the external representations.
    ///
    /// What is read is written and read again as it was.
    static let publicKey = FuzzTarget(name: "public-key") { bytes throws(BrokenLaw) in
        let families = KeyFamily.allCases
        let form = Int(bytes.first ?? 0) % (families.count + 2)
        let body = [UInt8](bytes.dropFirst())
        guard form != 1 else { return try signature(body) }
        let key: PublicKey
        do throws(CryptographyError) {
            key =
                form == 0
                ? try PublicKey(subjectPublicKeyInfo: body)
                : try PublicKey(family: families[form - 2], externalRepresentation: body)
        } catch {
            return .refused
        }
        let again = try? PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo)
        try require(again == key, "a key is written as it was read")
        try require((try? key.identity())?.count == 20, "a key has an identity of 20 bytes")
        return .accepted
    }

    private static func signature(_ der: [UInt8]) throws(BrokenLaw) -> Verdict {
        guard let signature = try? ECDSASignature(x962: der) else { return .refused }
        try require(signature.x962 == der, "a signature is written as it was read")
        for curve in EllipticCurve.allCases {
            guard let wide = try? signature.rfc4754(curve) else { continue }
            let again = ECDSASignature(rfc4754: wide, curve)
            try require(again?.x962 == der, "both forms of a signature say the same")
        }
        return .accepted
    }
}
