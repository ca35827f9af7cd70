import Security
extension SecAccessControlCreateFlags {
    static var either: Self { [.biometryAny, .or, .devicePasscode] }
}
struct Options {
    var wanted: SecAccessControlCreateFlags = [.biometryAny, .devicePasscode]
    var kept: SecAccessControlCreateFlags { [.privateKeyUsage, .biometryAny] }
}
struct Other { var kept: SecAccessControlCreateFlags = [.biometryAny, .devicePasscode] }
func named() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .either, nil)
}
func control(_ options: inout Options) -> SecAccessControl? {
    options.wanted.insert(.or)
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, options.wanted, nil)
}
func control(_ options: Options) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, options.kept, nil)
}
func control(flags: SecAccessControlCreateFlags = [.biometryAny, .devicePasscode]) -> SecAccessControl? {
    var flags = flags
    flags.insert(.or)
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
}
