import Testing

/// One way to write the dictionary of an add; `ACCESSIBLE` stands for the value of that key.
private struct Style: Sendable, CustomStringConvertible {
    let name: String
    /// The function that adds; the line that names the accessibility ends in `// accessible`.
    let code: String

    var description: String { name }

    /// The code without the line that names the accessibility.
    var careless: String {
        code.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasSuffix("// accessible") }.joined(separator: "\n")
    }

    static let header = "import Security\nlet level = kSecAttrAccessibleAfterFirstUnlock\n"

    /// The way in which a dictionary is made.
    static let steps: [Style] = [
        .init(
            name: "literal",
            code: """
                func save(_ data: Data, service: String, account: String) -> OSStatus {
                    let item: [String: Any] = [
                        kSecClass as String: kSecClassGenericPassword,
                        kSecAttrService as String: service,
                        kSecAttrAccount as String: account,
                        kSecAttrAccessible as String: level,  // accessible
                        kSecValueData as String: data,
                    ]
                    return SecItemAdd(item as CFDictionary, nil)
                }
                """
        ),
        .init(
            name: "changed",
            code: """
                func save(_ data: Data, base: Data, service: String, account: String) -> OSStatus {
                    let query: [String: Any] = [
                        kSecClass as String: kSecClassGenericPassword,
                        kSecAttrService as String: service,
                        kSecAttrAccount as String: account,
                    ]
                    var item = query
                    item[kSecValueData as String] = data
                    item[kSecAttrAccessible as String] = level  // accessible
                    return SecItemAdd(item as CFDictionary, nil)
                }
                """
        ),
        .init(
            name: "merged",
            code: """
                func save(_ data: Data, service: String, account: String) -> OSStatus {
                    var item: [String: Any] = [
                        kSecClass as String: kSecClassGenericPassword,
                        kSecAttrService as String: service,
                        kSecAttrAccount as String: account,
                    ]
                    let values: [String: Any] = [
                        kSecAttrAccessible as String: level,  // accessible
                        kSecValueData as String: data,
                    ]
                    item.merge(values) { _, new in new }
                    return SecItemAdd(item as CFDictionary, nil)
                }
                """
        ),
        .init(
            name: "returned",
            code: """
                private func item(_ data: Data, _ account: String) -> [String: Any] {
                    var item: [String: Any] = [
                        kSecClass as String: kSecClassGenericPassword,
                        kSecAttrService as String: "notes",
                        kSecAttrAccount as String: account,
                    ]
                    item[kSecAttrAccessible as String] = level  // accessible
                    item[kSecValueData as String] = data
                    return item
                }

                func save(_ data: Data, account: String) -> OSStatus {
                    SecItemAdd(item(data, account) as CFDictionary, nil)
                }
                """
        ),
    ]

    /// The spelling of its keys and its type.
    static let keys: [Style] = [
        .init(
            name: "[CFString: Any]",
            code: """
                func save(_ data: Data, service: String, account: String) -> OSStatus {
                    let item: [CFString: Any] = [
                        kSecClass: kSecClassGenericPassword,
                        kSecAttrService: service, kSecAttrAccount: account,
                        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,  // accessible
                        kSecValueData: data,
                    ]
                    return SecItemAdd(item as CFDictionary, nil)
                }
                """
        ),
        .init(
            name: "NSDictionary",
            code: """
                func save(_ data: Data, service: String, account: String) -> OSStatus {
                    let item: NSDictionary = [
                        kSecClass: kSecClassGenericPassword,
                        kSecAttrService: service, kSecAttrAccount: account,
                        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,  // accessible
                        kSecValueData: data,
                    ]
                    return SecItemAdd(item, nil)
                }
                """
        ),
        .init(
            name: "NSMutableDictionary",
            code: """
                func save(_ data: Data, service: String, account: String) -> OSStatus {
                    let item = NSMutableDictionary()
                    item[kSecClass] = kSecClassGenericPassword
                    item[kSecAttrService] = service
                    item[kSecAttrAccount] = account
                    item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock  // accessible
                    item[kSecValueData] = data
                    return SecItemAdd(item, nil)
                }
                """
        ),
        .init(
            name: "literal at the call",
            code: """
                func save(_ data: Data, service: String, account: String) -> OSStatus {
                    SecItemAdd(
                        [
                            kSecClass: kSecClassGenericPassword,
                            kSecAttrService: service, kSecAttrAccount: account,
                            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,  // accessible
                            kSecValueData: data,
                        ] as CFDictionary,
                        nil
                    )
                }
                """
        ),
    ]
}

@Suite struct `The dictionary of a call` {
    @Test(.requirement("LNT-05"), arguments: Style.steps)
    fileprivate func `is known however it came to be`(style: Style) {
        #expect(Lint.rules(Style.header + style.code) == [])
        #expect(Lint.rules(Style.header + style.careless) == ["KC201"])
    }

    @Test(.requirement("LNT-06"), arguments: Style.keys + Style.steps.prefix(1))
    fileprivate func `is known in every style`(style: Style) {
        #expect(Lint.rules(Style.header + style.code) == [])
        #expect(Lint.rules(Style.header + style.careless) == ["KC201"])
    }

    @Test(.requirement("LNT-05"))
    func `is left alone if somebody unseen may change it`() {
        let text = """
            import Security
            func save(_ data: Data) -> OSStatus {
                var item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "notes", kSecAttrAccount as String: "ada",
                    kSecValueData as String: data,
                ]
                complete(&item)
                return SecItemAdd(item as CFDictionary, nil)
            }
            """
        #expect(Lint.rules(text) == [])
    }

    @Test func `limits a broad delete by its access group`() {
        let text = """
            import Security
            func forget(_ group: String) -> OSStatus {
                let own: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: group,
                ]
                return SecItemDelete(own as CFDictionary)
            }
            """
        #expect(Lint.findings(text).filter { $0.severity > .note }.map(\.severity) == [.warning])
    }
}
