import Foundation
import KeychainSimulator
import ModelTestSupport
import Security

// ★ Table: the switches on which the two profiles differ.
extension Dispute {
    static let ofProfiles = [
        Dispute(
            id: "missing-operator",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turned: errSecSuccess,
            turn: { $0.missingOperator = .and },
            call: { _ in
                var error: Unmanaged<CFError>?
                let both: SecAccessControlCreateFlags = [.biometryAny, .devicePasscode]
                let control = SecAccessControlCreateWithFlags(
                    nil,
                    kSecAttrAccessibleWhenUnlocked,
                    both,
                    &error
                )
                let code = (error?.takeRetainedValue()).map { OSStatus(CFErrorGetCode($0)) }
                return control == nil ? code ?? errSecInternalComponent : errSecSuccess
            }
        ),
        Dispute(
            id: "primary-key-update",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turned: errSecSuccess,
            turn: { $0.primaryKeyUpdate = .allow },
            call: { _ in
                Items.add(.mail.holding("secret"))
                return Items.update(.mail, [kSecAttrAccount: "bob"])
            }
        ),
        Dispute(
            id: "access-control-update",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turned: errSecSuccess,
            turn: { $0.accessControlUpdate = .allow },
            call: { _ in
                Items.add(.mail.holding("secret"))
                return Items.update(.mail, [kSecAttrAccessControl: Sample.accessControl.object])
            }
        ),
        Dispute(
            id: "tag-on-certificate",
            documented: errSecParam,
            appleSource: errSecNoSuchAttr,
            turned: errSecNoSuchAttr,
            turn: { $0.tagOnCertificate = .noSuchAttribute },
            call: { _ in
                let tag: Attributes = [kSecAttrApplicationTag: Data([1])]
                return Items.add(StoredClass.certificate.item.with(tag))
            }
        ),
        Dispute(
            id: "key-without-type",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turned: errSecSuccess,
            turn: { $0.keyWithoutType = .allow },
            call: { _ in Items.add([kSecClass: kSecClassKey, kSecAttrApplicationTag: Data([1])]) }
        ),
        Dispute(
            id: "changed-enrolment",
            documented: errSecAuthFailed,
            appleSource: errSecItemNotFound,
            turned: errSecItemNotFound,
            turn: { $0.biometryCurrentSetChanged = .itemNotFound },
            call: { device in
                let control = GatedApp.control(.biometryCurrentSet)
                Items.add(.mail.holding("secret").with([kSecAttrAccessControl: control as Any]))
                try device.enroll("second")
                return Items.find(.mail.with([kSecReturnData: true])).status
            }
        ),
        Dispute(
            id: "synchronizable-this-device",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turned: errSecSuccess,
            turn: { $0.synchronizableThisDeviceOnly = .allow },
            call: { _ in
                Items.add(
                    .mail.with([
                        kSecAttrSynchronizable: true,
                        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                    ])
                )
            }
        ),
        Dispute(
            id: "class-in-update",
            documented: errSecParam,
            appleSource: errSecNoSuchAttr,
            turned: errSecNoSuchAttr,
            turn: { $0.foreignUpdateKey = .noSuchAttribute },
            call: { _ in
                Items.add(.mail.holding("secret"))
                return Items.update(.mail, [kSecClass: kSecClassGenericPassword])
            }
        ),
        Dispute(
            id: "agreeing-access-control",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turned: errSecSuccess,
            turn: { $0.agreeingAccessControl = .allow },
            call: { _ in
                let control = GatedApp.control([])
                return Items.add(
                    .mail.with([
                        kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
                        kSecAttrAccessControl: control as Any,
                    ])
                )
            }
        ),
    ]
}
