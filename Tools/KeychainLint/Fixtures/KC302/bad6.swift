import Security
struct Policy { let flags: SecAccessControlCreateFlags
    static let strict = Policy(flags: [.userPresence, .devicePasscode]) }  // expect
func control(_ policy: Policy = .strict) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, policy.flags, nil)
}
