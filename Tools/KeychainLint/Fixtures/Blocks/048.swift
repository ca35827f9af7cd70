// An item behind the enrolled fingers, added if its access control can be made.
var cause: Unmanaged<CFError>?
guard let fingers = SecAccessControlCreateWithFlags(
    kCFAllocatorDefault,
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    .biometryCurrentSet,
    &cause
) else {
    return
}
let diary: [String: Any] = [
    kSecValueData as String: diaryKey,
    kSecAttrAccessControl as String: fingers,
    kSecAttrAccount as String: "diary",
    kSecAttrService as String: "org.example.notes",
    kSecClass as String: kSecClassGenericPassword,
]
let outcome = SecItemAdd(diary as CFDictionary, nil)
