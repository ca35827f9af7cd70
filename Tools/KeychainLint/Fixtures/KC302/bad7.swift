import Security
final class Store {
    private func control(with extra: SecAccessControlCreateFlags) -> SecAccessControl? {
        let flags = SecAccessControlCreateFlags.userPresence.union(extra)
        return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)  // expect
    }
    func save() -> SecAccessControl? { control(with: .devicePasscode) }
}
