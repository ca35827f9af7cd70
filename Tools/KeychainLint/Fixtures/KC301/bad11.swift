import Security
enum Protection {
    static let flags: SecAccessControlCreateFlags = {
        var flags: SecAccessControlCreateFlags = .init()
        flags.insert([.biometryCurrentSet])
        flags = flags.union([.devicePasscode])
        return flags
    }()
    static func make() -> SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, Protection.flags, nil)  // expect
    }
}
