import Security

struct Cabinet {
    private func drawer(_ number: Int) -> [CFString: Any] {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "cabinet",
            kSecAttrAccount: "\(number)",
        ]
    }

    private func change(_ number: Int, _ paper: Data) throws {
        let values = [kSecValueData: paper] as CFDictionary
        let status = SecItemUpdate(drawer(number) as CFDictionary, values)
        guard status == errSecSuccess else { throw Failure(status) }
    }

    private func insert(_ number: Int, _ paper: Data) throws {
        var item = drawer(number)
        item[kSecValueData] = paper
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure(status) }
    }

    func put(_ number: Int, _ paper: Data) throws {
        do {
            try change(number, paper)
        } catch let failure as Failure where failure.isMissing {
            try insert(number, paper)
        }
    }
}
