// An item for a group of apps, without a protection level.
let familyItem: [String: Any] = [
    kSecAttrAccessGroup as String: "A1B2C3D4E5.org.example.family",
    kSecValueData as String: calendarKey,
    kSecAttrAccount as String: "calendar",
    kSecAttrService as String: "org.example.family",
    kSecClass as String: kSecClassGenericPassword,
]
