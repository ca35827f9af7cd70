import Foundation
import Testing

/// ★ A good fixture with one mistake put in, and the rule that has to find it.
struct Mutation: Sendable, CustomStringConvertible {
    let file: String
    let old: String
    let new: String
    let rule: String

    var description: String { "\(rule): \(old) in \(file)" }

    init(_ file: String, _ old: String, _ new: String, _ rule: String) {
        self.file = file
        self.old = old
        self.new = new
        self.rule = rule
    }

    private static let accessible =
        "        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,\n"
    private static let save = "KC201/good.swift"
    private static let replace = "KC504/good.swift"
    private static let read = "KC112/good.swift"
    private static let key = "KC305/good.swift"

    static let all: [Mutation] = [
        .init(save, accessible, "", "KC201"),
        .init(
            save,
            "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly",
            "kSecAttrAccessibleAlways",
            "KC202"
        ),
        .init(
            save,
            "        kSecAttrService as String: service,\n        kSecAttrAccount as "
                + "String: account,\n",
            "",
            "KC101"
        ),
        .init(
            save,
            accessible,
            accessible + "        kSecMatchLimit as String: kSecMatchLimitOne,\n",
            "KC108"
        ),
        .init(
            save,
            accessible,
            accessible + "        kSecAttrSynchronizable as String: true,\n",
            "KC704"
        ),
        .init(
            save,
            accessible,
            accessible + "        kSecAttrServer as String: service,\n",
            "KC406"
        ),
        .init(
            save,
            accessible,
            accessible + "        kSecAttrApplicationTag as String: data,\n",
            "KC405"
        ),
        .init(
            save,
            accessible,
            accessible + "        kSecAttrAccessGroup as String: \"org.example.shared\",\n",
            "KC701"
        ),
        .init(
            save,
            accessible,
            accessible
                + "        kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip,\n",
            "KC314"
        ),
        .init(
            save,
            accessible,
            accessible + "        kSecAttrAccessControl as String: control,\n",
            "KC204"
        ),
        .init(
            save,
            "kSecValueData as String: data",
            "kSecValueData as String: \"hunter2 hunter2\".data(using: .utf8)!",
            "KC903"
        ),
        .init(
            save,
            "    return SecItemAdd(item as CFDictionary, nil)",
            "    SecItemAdd(item as CFDictionary, nil)\n    return 0",
            "KC501"
        ),
        .init(save, "        kSecClass as String: kSecClassGenericPassword,\n", "", "KC115"),
        .init(save, "kSecClassGenericPassword", "kSecClassIdentity", "KC402"),
        .init(
            replace,
            "[kSecValueData as String: data]",
            "[kSecValueData as String: data, kSecAttrAccount as String: data]",
            "KC410"
        ),
        .init(
            replace,
            "[kSecValueData as String: data]",
            "[kSecValueData as String: data, kSecClass as String: kSecClassGenericPassword]",
            "KC109"
        ),
        .init(
            replace,
            "[kSecValueData as String: data]",
            "[kSecAttrAccessControl as String: data]",
            "KC307"
        ),
        .init(
            replace,
            "let status = SecItemUpdate(\n        query as CFDictionary,\n"
                + "        [kSecValueData as String: data] as CFDictionary\n    )\n"
                + "    guard status == errSecItemNotFound else { return status }",
            "_ = SecItemDelete(query as CFDictionary)",
            "KC504"
        ),
        .init(read, "        kSecReturnData as String: true,\n", "", "KC104"),
        .init(read, "as? Data", "as! [String: Any]", "KC106"),
        .init(read, "throw StatusError(status)", "return nil", "KC505"),
        .init(
            read,
            "throw StatusError(status)",
            "SecItemDelete(query as CFDictionary); return nil",
            "KC503"
        ),
        .init(read, "throw StatusError(status)", "fatalError()", "KC510"),
        .init(
            read,
            "        kSecReturnData as String: true,\n",
            "        kSecReturnData as String: true,\n        kSecAttrAccessible as "
                + "String: kSecAttrAccessibleWhenUnlocked,\n",
            "KC102"
        ),
        .init(key, ".privateKeyUsage, ", "", "KC305"),
        .init(key, ".biometryCurrentSet]", ".biometryCurrentSet, .devicePasscode]", "KC301"),
        .init(key, ".biometryCurrentSet]", ".biometryCurrentSet, .or, .biometryAny]", "KC302"),
        .init(
            key,
            "kSecAttrAccessibleWhenUnlockedThisDeviceOnly",
            "kSecAttrAccessibleAfterFirstUnlock",
            "KC303"
        ),
        .init(key, "        kSecAttrKeySizeInBits as String: 256,\n", "", "KC403"),
        .init(
            "KC502/good.swift",
            "    if status == errSecDuplicateItem {\n        status = SecItemUpdate(query "
                + "as CFDictionary, values as CFDictionary)\n    }\n",
            "",
            "KC502"
        ),
        .init("KC506/good.swift", " || status == errSecItemNotFound", "", "KC506"),
        .init(
            "KC601/good.swift",
            "    guard try keychainRead(service: \"session\", account: \"token\") == "
                + "token else {\n        throw MigrationError.differs\n"
                + "    }\n",
            "",
            "KC601"
        ),
        .init(
            "KC610/good.swift",
            "    for await _ in NotificationCenter.default.notifications(named: name) { break }",
            "    await withCheckedContinuation { c in NotificationCenter.default.addObserver("
                + "forName: name, object: nil, queue: nil) { _ in c.resume() } }",
            "KC610"
        ),
        .init(
            "KC207/good.swift",
            "        guard UIApplication.shared.isProtectedDataAvailable else { return "
                + "retryLater() }\n",
            "",
            "KC207"
        ),
        .init(
            "KC606/good.swift",
            "if application.isProtectedDataAvailable { migrateItems() }",
            "migrateItems()",
            "KC606"
        ),
        .init(
            "KC604/good.swift",
            ", kSecAttrSynchronizable: kSecAttrSynchronizableAny",
            "",
            "KC604"
        ),
        .init("KC308/good.swift", "= 10", "= 3600", "KC308"),
        .init(
            "KC405/good.swift",
            "kSecAttrLabel as String: label",
            "kSecAttrApplicationTag as String: label",
            "KC405"
        ),
        .init(
            "KC801/good.swift",
            "        kSecUseDataProtectionKeychain as String: true,\n",
            "",
            "KC801"
        ),
        .init(
            "KC802/good.swift",
            "            kSecUseDataProtectionKeychain as String: true,\n",
            "",
            "KC802"
        ),
        .init("KC905/good.swift", "\\(token.count) bytes", "\\(token)", "KC905"),
        .init("KC905/good2.swift", "    shown[kSecValueData as String] = nil\n", "", "KC905"),
        .init("KC501/good3.swift", "let status = store.save", "_ = store.save", "KC501"),
        .init(
            "KC901/good.swift",
            "settings.tokenExpiry, forKey: \"tokenExpiryDate\"",
            "settings.token, forKey: \"token\"",
            "KC901"
        ),
        .init(
            "KC902/good.swift",
            "try box.combined?.write(to: url)",
            "try data.write(to: url)",
            "KC902"
        ),
        .init("KC906/good.swift", "nonisolated func", "func", "KC906"),
        .init("KX01/good.swift", "using: key)", "using: key, nonce: fixed)", "KX01"),
        .init("KX19/good.swift", "host as CFString", "nil", "KX19"),
    ]
}

@Suite struct `A mistake in good code` {
    @Test(arguments: Mutation.all) func `is found`(mutation: Mutation) throws {
        let file = Lint.root.appending(path: "Fixtures/\(mutation.file)")
        let good = try String(contentsOf: file, encoding: .utf8)
        #expect(!Lint.findings(good).contains { $0.rule == mutation.rule })
        let bad = good.replacingOccurrences(of: mutation.old, with: mutation.new)
        try #require(bad != good)
        #expect(Lint.findings(bad).contains { $0.rule == mutation.rule })
    }
}
