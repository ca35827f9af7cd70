import Security

func control() throws -> SecAccessControl {
    var error: Unmanaged<CFError>?
    let flags: SecAccessControlCreateFlags = [.biometryAny, .devicePasscode]  // expect
    guard
        let control = SecAccessControlCreateWithFlags(
            nil,
            kSecAttrAccessibleWhenUnlocked,
            [.biometryCurrentSet, .devicePasscode],  // expect
            &error
        )
    else { throw ControlError(error) }
    use(flags)
    return control
}
