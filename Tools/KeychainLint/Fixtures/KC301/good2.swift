import Security

func control() throws -> SecAccessControl {
    var error: Unmanaged<CFError>?
    guard
        let control = SecAccessControlCreateWithFlags(
            nil,
            kSecAttrAccessibleWhenUnlocked,
            [.biometryAny, .applicationPassword],
            &error
        )
    else { throw ControlError(error) }
    return control
}
