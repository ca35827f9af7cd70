import CryptoKit

@available(iOS 17, *)
func send(_ data: Data, to key: P256.KeyAgreement.PublicKey) throws -> (Data, Data) {
    var sender = try HPKE.Sender(
        recipientKey: key,
        ciphersuite: .P256_SHA256_AES_GCM_256,
        info: Data()
    )
    return (sender.encapsulatedKey, try sender.seal(data))
}
