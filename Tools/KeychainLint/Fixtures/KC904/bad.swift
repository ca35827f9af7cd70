import Security
import UIKit

func save(_ photo: UIImage, service: String, account: String) -> OSStatus {
    let bytes = photo.pngData()
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: bytes as Any,  // expect
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
