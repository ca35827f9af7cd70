import CryptoKit
import Security
import UIKit

/// The key goes to the keychain, the photo to a file that it seals.
func save(_ photo: UIImage, to url: URL, service: String, account: String) throws
    -> OSStatus
{
    let key = SymmetricKey(size: .bits256)
    try AES.GCM.seal(photo.pngData() ?? Data(), using: key).combined?.write(to: url)
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: key.withUnsafeBytes { Data($0) },
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
