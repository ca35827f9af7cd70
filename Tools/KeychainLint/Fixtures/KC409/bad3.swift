import CryptoKit
import Security

final class KeyBox {
    private let agreement = Curve25519.KeyAgreement.PrivateKey()
    func save() -> OSStatus {
        let bytes = agreement.rawRepresentation
        var attributes = base()
        attributes[kSecValueData as String] = bytes  // expect
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        return SecItemAdd(attributes as CFDictionary, nil)
    }
    private func base() -> [String: Any] {
        [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: "agree".data(using: .utf8)!,
        ]
    }
}
