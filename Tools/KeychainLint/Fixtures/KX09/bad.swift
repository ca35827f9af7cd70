import CryptoKit

func message(_ box: AES.GCM.SealedBox) -> Data {
    Data(box.nonce) + box.ciphertext + box.tag  // expect
}
