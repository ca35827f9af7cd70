import Cocoa
import Security

func save(_ certificate: SecCertificate, _ key: SecKey) -> [OSStatus] {
    let first: [CFString: Any] = [
        kSecClass: kSecClassCertificate, kSecValueRef: certificate,
        kSecUseDataProtectionKeychain: true,
    ]
    let second: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecValueRef: key,
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    ]
    return [
        SecItemAdd(first as CFDictionary, nil),
        SecItemAdd(second as CFDictionary, nil),  // expect
    ]
}
