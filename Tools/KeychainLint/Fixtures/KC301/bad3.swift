import Security

struct Sealer {
    func make() throws -> SecAccessControl {
        var required: SecAccessControlCreateFlags = []
        required.insert(.biometryCurrentSet)
        required.insert(.devicePasscode)
        var error: Unmanaged<CFError>?
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                required,  // expect
                &error
            )
        else { throw E.no }
        return control
    }
}
