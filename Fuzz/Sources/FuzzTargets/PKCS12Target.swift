import Cryptography
import Secrets

extension FuzzTarget {
    /// A PKCS#12 file under the password `fuzz`.
    ///
    /// An identity that is found is a key with its own certificate.
    static let pkcs12 = FuzzTarget(name: "pkcs12") { bytes throws(BrokenLaw) in
        let password = Secret(copying: [UInt8]("fuzz".utf8))
        guard let archive = try? PKCS12Archive(parsing: bytes, password: password) else {
            return .refused
        }
        for identity in archive.identities {
            try require(
                identity.key.privateKey.publicKey == identity.certificate.certificate.publicKey,
                "a certificate belongs to its key"
            )
        }
        return .accepted
    }
}
