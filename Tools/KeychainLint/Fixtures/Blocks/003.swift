// An item with an access control and a protection level of its own: the level is there twice.
var failure: Unmanaged<CFError>?
// swift-format-ignore
let lock = SecAccessControlCreateWithFlags(
    kCFAllocatorDefault,
    kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    [.devicePasscode, .or, .biometryAny],
    &failure
)!

let vaultItem: [String: Any] = [
    kSecValueData as String: vaultKey,
    kSecAttrAccessControl as String: lock,
    kSecAttrAccessible as String: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrAccount as String: "vault-7",
]
