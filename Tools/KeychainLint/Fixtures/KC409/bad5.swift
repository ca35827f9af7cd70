import CryptoKit
import Security

func store(signer: Curve25519.Signing.PrivateKey) -> OSStatus {
    let raw: Data = signer.rawRepresentation
    let attributes = NSMutableDictionary()
    attributes[kSecClass] = kSecClassKey
    attributes[kSecAttrApplicationTag] = Data("x".utf8)
    attributes[kSecValueData] = raw  // expect
    attributes[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlocked
    return SecItemAdd(attributes, nil)
}
