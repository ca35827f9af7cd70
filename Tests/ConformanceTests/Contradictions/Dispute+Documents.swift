import Foundation
import KeychainSimulator
import ModelTestSupport
import Security

// ★ Table: the switches on which the documents differ among themselves. Both profiles give the
// answer of Apple's source.
extension Dispute {
    static let ofDocuments = [
        Dispute(
            id: "missing-passcode",
            documented: errSecAuthFailed,
            appleSource: errSecAuthFailed,
            turned: errSecNotAvailable,
            turn: { $0.passcodeMissing = .notAvailable },
            call: { device in
                try device.removePasscode(current: "0000")
                return Items.add(
                    .mail.with([kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]
                    )
                )
            }
        ),
        Dispute(
            id: "deprecated-always",
            documented: errSecSuccess,
            appleSource: errSecSuccess,
            turned: errSecInteractionNotAllowed,
            turn: { $0.deprecatedAlways = .remapToAfterFirstUnlock },
            call: { device in
                Items.add(.mail.holding("secret").with([kSecAttrAccessible: String.always]))
                device.reboot()
                return Items.find(.mail.with([kSecReturnData: true])).status
            }
        ),
        Dispute(
            id: "access-group-update",
            documented: errSecSuccess,
            appleSource: errSecSuccess,
            turned: errSecParam,
            turn: { $0.accessGroupUpdate = .reject },
            call: { _ in
                Items.add(.mail.holding("secret"))
                return Items.update(.mail, [kSecAttrAccessGroup: "TEAMID1234.shared"])
            }
        ),
        Dispute(
            id: "match-keys-in-writes",
            documented: errSecParam,
            appleSource: errSecParam,
            turned: errSecSuccess,
            turn: { $0.matchKeysInWrites = .ignore },
            call: { _ in
                Items.add(.mail.holding("secret"))
                return Items.delete(.mail.with([kSecMatchLimit: kSecMatchLimitOne]))
            }
        ),
        Dispute(
            id: "this-device-backups",
            documented: errSecSuccess,
            appleSource: errSecSuccess,
            turned: errSecItemNotFound,
            turn: { $0.backupThisDeviceOnly = .excluded },
            call: { device in
                Items.add(
                    .mail.holding("secret").with([
                        kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
                    ])
                )
                let backup = try device.backup(password: "tape")
                Items.delete(.mail)
                _ = try device.restore(backup, password: "tape")
                return Items.find(.mail).status
            }
        ),
        Dispute(
            id: "attributes-while-locked",
            documented: errSecInteractionNotAllowed,
            appleSource: errSecInteractionNotAllowed,
            turned: errSecSuccess,
            turn: { $0.metadataReadableWhenLocked = true },
            call: { device in
                Items.add(.mail.holding("secret"))
                device.lock()
                return Items.find(.mail.with([kSecReturnAttributes: true])).status
            }
        ),
        Dispute(
            id: "before-first-unlock",
            documented: errSecInteractionNotAllowed,
            appleSource: errSecInteractionNotAllowed,
            turned: errSecItemNotFound,
            turn: { $0.beforeFirstUnlock = .itemNotFound },
            call: { device in
                Items.add(
                    .mail.holding("secret").with([
                        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock
                    ])
                )
                device.reboot()
                return Items.find(.mail.with([kSecReturnData: true])).status
            }
        ),
        Dispute(
            id: "case-insensitive",
            documented: errSecItemNotFound,
            appleSource: errSecItemNotFound,
            turned: errSecSuccess,
            turn: { $0.matchCaseInsensitive = .honor },
            call: { _ in
                Items.add(.mail.holding("secret"))
                return Items.find(
                    .mail.with([kSecAttrAccount: "ADA", kSecMatchCaseInsensitive: true])
                ).status
            }
        ),
        Dispute(
            id: "mac-keychains",
            documented: errSecSuccess,
            appleSource: errSecSuccess,
            turned: errSecItemNotFound,
            system: .macOS(26),
            turn: { $0.macOSKeychains = .both },
            call: { _ in
                Items.add(.mail.holding("secret"))
                return Items.find(.mail.with([kSecUseDataProtectionKeychain: true])).status
            }
        ),
        Dispute(
            id: "file-based-limit",
            documented: 1,
            appleSource: 1,
            turned: 2,
            system: .macOS(26),
            premise: { $0.macOSKeychains = .both },
            turn: { $0.fileBasedMatchLimit = .all },
            call: { _ in
                Items.add(.mail.holding("one"))
                Items.add(.mail.with([kSecAttrAccount: "bob"]).holding("two"))
                let found = Items.find([
                    kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true,
                ])
                return found.attributes.isEmpty ? OSStatus(found.list.count) : 1
            }
        ),
    ]
}
