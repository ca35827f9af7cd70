// An item whose protection level is in its access control alone.
var failure: Unmanaged<CFError>?
guard let lock = SecAccessControlCreateWithFlags(
    kCFAllocatorDefault,
    kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    [.devicePasscode, .or, .biometryAny],
    &failure
) else {
    throw VaultError.noLock(failure?.takeRetainedValue())
}

let vaultItem: [String: Any] = [
    kSecValueData as String: vaultKey,
    kSecAttrAccessControl as String: lock,
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrAccount as String: "vault-7",
]
