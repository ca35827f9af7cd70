import KeychainSimulator
import Security
import TestSupport
import Testing

/// Calls with a mistake that the linter knows, and its rule.
private struct Mistake: Sendable, CustomStringConvertible {
    let rule: String
    let calls: @Sendable () -> [OSStatus]
    let statuses: [OSStatus]

    var description: String { rule }

    private static var protected: Attributes {
        .mail.holding("hunter2").with([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
    }

    static let all: [Mistake] = [
        Mistake(
            rule: "KC115",
            calls: { [Items.find([kSecAttrService: "mail", kSecReturnData: true]).status] },
            statuses: [errSecParam]
        ),
        Mistake(
            rule: "KC201",
            calls: { [Items.add(.mail.holding("hunter2"))] },
            statuses: [errSecSuccess]
        ),
        Mistake(
            rule: "KC502",
            calls: { [Items.add(protected), Items.add(protected)] },
            statuses: [errSecSuccess, errSecDuplicateItem]
        ),
        Mistake(
            rule: "KC107",
            calls: {
                [
                    Items.add(protected), Items.add(protected.with([kSecAttrAccount: "bob"])),
                    Items.delete([kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]),
                ]
            },
            statuses: [errSecSuccess, errSecSuccess, errSecSuccess]
        ),
        Mistake(
            rule: "KC204",
            calls: {
                let control = SecAccessControlCreateWithFlags(
                    nil,
                    kSecAttrAccessibleWhenUnlocked,
                    .userPresence,
                    nil
                )
                return [Items.add(protected.with([kSecAttrAccessControl: control as Any]))]
            },
            statuses: [errSecParam]
        ),
    ]
}

@Suite struct `A call with a mistake that the linter knows` {
    @Test(.requirement("LNT-13"), arguments: Mistake.all)
    fileprivate func `leaves the number of its rule`(mistake: Mistake) throws {
        try onNewDevice { device in
            #expect(mistake.calls() == mistake.statuses)
            #expect(device.findings.contains { $0.lintRules.contains(mistake.rule) })
        }
    }

    @Test(.requirement("LNT-13"))
    func `names the delete that follows a read on a locked device`() throws {
        try onNewDevice { device in
            #expect(
                Items.add(
                    .mail.holding("hunter2")
                        .with([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])
                ) == errSecSuccess
            )
            device.lock()
            let read = Items.find(.mail.with([kSecReturnData: true]))
            #expect(read.status == errSecInteractionNotAllowed)
            #expect(device.findings.contains { $0.lintRules.contains("KC203") })
            #expect(!device.findings.contains { $0.lintRules.contains("KC503") })
            // A program that takes every failure for a broken item deletes the only copy.
            #expect(Items.delete(.mail) == errSecSuccess)
            let finding = try #require(device.findings.last)
            #expect(finding.rule == "delete-after-refused-read")
            #expect(finding.lintRules == ["KC503"])
        }
    }

    @Test(.requirement("LNT-13"))
    func `leaves nothing if it has none`() throws {
        try onNewDevice { device in
            let item = Attributes.mail.holding("hunter2")
                .with([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
            #expect(Items.add(item) == errSecSuccess)
            #expect(Items.value(.mail) == "hunter2")
            #expect(Items.delete(.mail) == errSecSuccess)
            #expect(device.findings.flatMap(\.lintRules) == [])
        }
    }
}
