import Security

func keyAttributes(tag: Data) throws -> [String: Any] {
    let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, nil)
    guard control != nil else { throw NoControl() }
    return [
        kSecAttrIsPermanent as String: true,
        kSecAttrApplicationTag as String: tag,
        kSecAttrAccessControl as String: control as Any,
    ]
}
