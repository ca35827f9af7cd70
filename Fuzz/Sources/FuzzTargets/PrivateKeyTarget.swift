import Secrets

@testable import Cryptography

extension FuzzTarget {
    /// A private key; the first byte chooses PKCS#8, SEC 1 or one of the external representations.
    ///
    /// A key that is read can be written in both forms, and is the same key when read again.
    static let privateKey = FuzzTarget(name: "private-key") { bytes throws(BrokenLaw) in
        let key: PrivateKey
        do throws(CryptographyError) {
            key = try read(Secret(copying: bytes.dropFirst()), form: bytes.first ?? 0)
        } catch {
            return .refused
        }
        let again: [PrivateKey]
        do throws(CryptographyError) {
            let written = try key.externalRepresentation()
            again = [
                try PrivateKey(pkcs8: try key.pkcs8()),
                try PrivateKey(family: key.kind.family, externalRepresentation: written),
            ]
        } catch {
            throw BrokenLaw(law: "a key that was read can be written and read: \(error)")
        }
        try require(
            again.allSatisfy { $0.publicKey == key.publicKey },
            "a key is written as it was read"
        )
        return .accepted
    }

    private static func read(
        _ bytes: borrowing Secret,
        form: UInt8
    ) throws(CryptographyError) -> PrivateKey {
        let families = KeyFamily.allCases
        return switch Int(form) % (families.count + 2) {
        case 0: try PrivateKey(pkcs8: bytes)
        case 1: try PrivateKey(ecPrivateKey: bytes)
        case let index:
            try PrivateKey(family: families[index - 2], externalRepresentation: bytes)
        }
    }
}
