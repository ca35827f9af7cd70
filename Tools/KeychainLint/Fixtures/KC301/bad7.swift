import Security

enum Level { case low, high }
func control(_ level: Level) -> SecAccessControl? {
    var flags: SecAccessControlCreateFlags = [.biometryAny]
    switch level {
    case .low: break
    case .high: flags.formUnion([.devicePasscode])
    }
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)  // expect
}
