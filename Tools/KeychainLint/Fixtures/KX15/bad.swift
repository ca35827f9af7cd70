import CryptoKit

@available(iOS 17, *)
func send(_ data: Data, to key: P256.KeyAgreement.PublicKey) throws -> Data {
    var sender = try HPKE.Sender(  // expect
        recipientKey: key,
        ciphersuite: .P256_SHA256_AES_GCM_256,
        info: Data()
    )
    return try sender.seal(data)
}
