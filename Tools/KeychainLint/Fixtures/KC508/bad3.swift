import Security

struct Box {
    func put(_ v: Data) throws {
        let s = SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "p",
                kSecValueData: v, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
            ] as CFDictionary,
            nil
        )
        guard s != errSecDuplicateItem else { throw BoxError.alreadyThere }
        guard s == errSecSuccess else { throw BoxError.other(s) }
    }
    func ensure(_ v: Data) throws {
        do { try put(v) } catch let error as BoxError {  // expect
            if case .alreadyThere = error { return }
            throw error
        }
    }
}
