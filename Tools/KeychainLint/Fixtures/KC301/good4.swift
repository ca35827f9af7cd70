import Security
struct Gate { let flags: SecAccessControlCreateFlags
    static let either = Gate(flags: [.biometryAny, .or, .devicePasscode])
    static let key = Gate(flags: [.privateKeyUsage, .biometryCurrentSet]) }
func gathered() -> SecAccessControlCreateFlags {
    var flags: SecAccessControlCreateFlags = .init()
    for flag in [SecAccessControlCreateFlags.biometryAny, .devicePasscode] { flags.insert(flag) }
    flags.insert(.or)
    return flags
}
let standard: SecAccessControlCreateFlags = {
    var flags: SecAccessControlCreateFlags = []
    flags.insert(.userPresence)
    return flags
}()
func make(_ extra: SecAccessControlCreateFlags) throws -> SecAccessControl {
    var error: Unmanaged<CFError>?
    let flags = SecAccessControlCreateFlags.privateKeyUsage.union(extra)
    guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, &error)
    else { throw Failure.control }
    return control
}
func key() throws -> SecAccessControl { try make(.biometryCurrentSet) }
enum Failure: Error { case control }
