import Cryptography
import Secrets

extension FuzzTarget {
    /// A private key under the password `fuzz`: one that opens can be written in the clear.
    static let encryptedPrivateKey = FuzzTarget(
        name: "encrypted-private-key"
    ) { bytes throws(BrokenLaw) in
        let password = Secret(copying: [UInt8]("fuzz".utf8))
        let key: PrivateKey
        do throws(PKCS12Error) {
            key = try EncryptedPrivateKey.open(bytes, password: password)
        } catch {
            return .refused
        }
        guard let written = try? key.pkcs8(), let again = try? PrivateKey(pkcs8: written) else {
            throw BrokenLaw(law: "a key that was opened can be written and read")
        }
        try require(again.publicKey == key.publicKey, "a key is written as it was opened")
        return .accepted
    }
}
