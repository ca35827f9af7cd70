import Security
extension SecAccessControlCreateFlags {
    static var strict: Self { [.biometryAny, .devicePasscode] }
}
func named() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .strict, nil)  // expect
}
func raw() -> SecAccessControl? {
    let both = SecAccessControlCreateFlags.biometryAny.rawValue | SecAccessControlCreateFlags.devicePasscode.rawValue
    let flags = SecAccessControlCreateFlags(rawValue: both)
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)  // expect
}
enum Level {
    case high
    var flags: SecAccessControlCreateFlags {
        switch self {
        case .high: return [.biometryCurrentSet, .devicePasscode]
        }
    }
}
func control(_ level: Level) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, level.flags, nil)  // expect
}
