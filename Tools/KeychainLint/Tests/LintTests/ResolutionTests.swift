import LintAnalysis
import LintChecks
import LintModel
import Testing

/// One place where a query can begin, outside of the function that uses it.
private struct Origin: Sendable, CustomStringConvertible {
    let name: String
    let code: String
    /// A second file.
    var other = ""

    var description: String { name }

    static let all: [Origin] = [
        .init(
            name: "computed property",
            code: """
                struct Vault {
                    private var base: [String: Any] {
                        [kSecClass as String: kSecClassGenericPassword,
                         kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
                    }
                    func remove() -> OSStatus { SecItemDelete(base as CFDictionary) }
                }
                """
        ),
        .init(
            name: "private variable",
            code: """
                final class Vault {
                    private var query: [String: Any] = [
                        kSecClass as String: kSecClassGenericPassword,
                        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                    ]
                    func remove(_ account: String) -> OSStatus {
                        query[kSecAttrAccount as String] = account
                        return SecItemDelete(query as CFDictionary)
                    }
                }
                """
        ),
        .init(
            name: "base query on top of unknown attributes",
            code: """
                struct Vault {
                    let attributes: [String: Any]
                    let group: String?
                    func base(account: String? = nil) -> [String: Any] {
                        var query = self.attributes
                        query[kSecClass as String] = kSecClassGenericPassword
                        query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
                        if let account { query[kSecAttrAccount as String] = account }
                        if let group { query[kSecAttrAccessGroup as String] = group }
                        return query
                    }
                    func remove(_ account: String) -> OSStatus {
                        let query = self.base(account: account)
                        return SecItemDelete(query as CFDictionary)
                    }
                }
                """
        ),
        .init(
            name: "optional query",
            code: """
                struct Vault {
                    let isOpen: Bool
                    func base() -> [String: Any]? {
                        guard isOpen else { return nil }
                        return [
                            kSecClass as String: kSecClassGenericPassword,
                            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                        ]
                    }
                    func remove() -> OSStatus {
                        guard let query = base() else { return errSecNotAvailable }
                        return SecItemDelete(query as CFDictionary)
                    }
                }
                """
        ),
        .init(
            name: "keys in an extension of String",
            code: """
                extension String {
                    static let itemClass = String(kSecClass)
                    static let level = String(kSecAttrAccessible)
                }
                func remove() -> OSStatus {
                    var query: [String: Any] = [.itemClass: kSecClassGenericPassword]
                    query[.level] = kSecAttrAccessibleAfterFirstUnlock
                    return SecItemDelete(query as CFDictionary)
                }
                """
        ),
        .init(
            name: "wrapper",
            code: """
                func remove() -> OSStatus {
                    let query = KeychainDictionary([
                        kSecClass: kSecClassGenericPassword,
                        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                    ])
                    return SecItemDelete(query)
                }
                """
        ),
        .init(
            name: "method of another file",
            code: """
                struct Vault {
                    func remove(_ account: String) -> OSStatus {
                        SecItemDelete(base(for: account) as CFDictionary)
                    }
                }
                """,
            other: """
                extension Vault {
                    func base(for account: String) -> [String: Any] {
                        [kSecClass as String: kSecClassGenericPassword,
                         kSecAttrAccount as String: account,
                         kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
                    }
                }
                """
        ),
        .init(
            name: "property of another file",
            code: """
                struct Vault {
                    func remove() -> OSStatus { SecItemDelete(base as CFDictionary) }
                }
                """,
            other: """
                extension Vault {
                    var base: [String: Any] {
                        [kSecClass as String: kSecClassGenericPassword,
                         kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
                    }
                }
                """
        ),
    ]

    func findings() -> [Finding] {
        let sources = [
            SourceText(path: "Vault.swift", text: "import Security\n" + code),
            SourceText(path: "Vault+Queries.swift", text: "import Security\n" + other),
        ]
        let project = Project(ProjectFiles(sources: sources))
        return Linter(configuration: Configuration()).findings(in: project)
    }
}

@Suite struct `A query that begins elsewhere` {
    @Test(.requirement("LNT-14"), arguments: Origin.all)
    fileprivate func `is followed to the call`(origin: Origin) {
        let found = origin.findings().filter { $0.rule == "KC102" }
        #expect(found.map(\.place.file) == ["Vault.swift"])
    }

    @Test(.requirement("LNT-14"))
    func `says nothing about what another statement may replace`() {
        let origin = Origin(
            name: "replaced",
            code: """
                final class Vault {
                    private var query: [String: Any] = [
                        kSecClass as String: kSecClassGenericPassword,
                        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                    ]
                    func prepare(_ other: [String: Any]) { query = other }
                    func remove() -> OSStatus { SecItemDelete(query as CFDictionary) }
                }
                """
        )
        #expect(origin.findings().filter { $0.severity > .note }.isEmpty)
    }

    @Test(.requirement("LNT-14"))
    func `lacks nothing surely if its start is unknown`() {
        let origin = Origin(
            name: "unknown start",
            code: """
                struct Vault {
                    let attributes: [String: Any]
                    func save(_ data: Data) -> OSStatus {
                        var item = attributes
                        item[kSecClass as String] = kSecClassGenericPassword
                        item[kSecValueData as String] = data
                        return SecItemAdd(item as CFDictionary, nil)
                    }
                    func removeAll() -> OSStatus {
                        var query = attributes
                        #if os(macOS)
                        query[kSecMatchLimit as String] = kSecMatchLimitAll
                        #endif
                        return SecItemDelete(query as CFDictionary)
                    }
                }
                """
        )
        let rules = origin.findings().filter { $0.severity > .note }.map(\.rule)
        #expect(rules.filter { ["KC101", "KC107", "KC108", "KC201"].contains($0) } == [])
    }
}
