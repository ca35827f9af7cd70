import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

/// A password manager that updates first, with the access control among the new values, and adds
/// where nothing is found.
private struct PasswordVault {
    let flags: SecAccessControlCreateFlags

    private var vault: Attributes {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: "vault", kSecAttrAccount: "key"]
    }

    func save(_ value: String) -> OSStatus {
        let protection = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        guard let control = SecAccessControlCreateWithFlags(nil, protection, flags, nil) else {
            return errSecParam
        }
        let values: Attributes = [
            kSecValueData: Data(value.utf8), kSecAttrAccessControl: control,
        ]
        let status = Items.update(vault, values)
        return status == errSecItemNotFound ? Items.add(vault.with(values)) : status
    }

    func load() -> String? { Items.value(vault) }
}

/// An age plugin that makes a key for biometry and the passcode, without an operator.
private enum AgePlugin {
    static let flags: SecAccessControlCreateFlags = [
        .privateKeyUsage, .biometryAny, .devicePasscode,
    ]

    static func control(_ error: inout Unmanaged<CFError>?) -> SecAccessControl? {
        let protection = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        return SecAccessControlCreateWithFlags(nil, protection, flags, &error)
    }

    static func makeKey() throws -> SecKey {
        var error: Unmanaged<CFError>?
        guard let control = control(&error) else { throw failure(error) }
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [kSecAttrAccessControl: control] as [CFString: Any],
        ]
        guard let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error) else {
            throw failure(error)
        }
        return key
    }

    static func sign(with key: SecKey) -> CFData? {
        let message = Data("message".utf8) as CFData
        return SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, nil)
    }

    private static func failure(_ error: Unmanaged<CFError>?) -> any Error {
        error?.takeRetainedValue() ?? NSError(domain: "none", code: 0)
    }
}

@Suite struct `Programs that ship` {
    private static let choices: [SecAccessControlCreateFlags.RawValue] = [
        [] as SecAccessControlCreateFlags, .userPresence, .devicePasscode,
    ].map(\.rawValue)

    @Test(.requirement("SAC-32"), arguments: choices)
    func `update an access control and add it on this machine`(
        flags: SecAccessControlCreateFlags.RawValue
    ) throws {
        let manager = PasswordVault(flags: SecAccessControlCreateFlags(rawValue: flags))
        try HostMachine(behavior: nil).run {
            #expect(manager.save("first") == errSecSuccess)
            #expect(manager.load() == "first")
            #expect(manager.save("second") == errSecSuccess)
            #expect(manager.load() == "second")
        }
    }

    @Test(.requirement("SAC-17"))
    func `ask for two factors without an operator on this machine`() throws {
        try HostMachine(behavior: nil).run {
            let key = try AgePlugin.makeKey()
            #expect(AgePlugin.sign(with: key) != nil)
        }
    }

    @Test(.requirement("SAC-17", "SAC-32"))
    func `work on a device that follows Apple's source, with one line`() throws {
        let device = try SimulatedDevice(behavior: .appleSource)
        try device.installExample().run {
            #expect(PasswordVault(flags: .userPresence).save("first") == errSecSuccess)
            #expect(PasswordVault(flags: .userPresence).save("second") == errSecSuccess)
            #expect(PasswordVault(flags: .userPresence).load() == "second")
            let key = try AgePlugin.makeKey()
            #expect(AgePlugin.sign(with: key) != nil)
        }
        #expect(device.prompts.suffix(2).map(\.kind) == [.biometry, .passcode])
    }

    @Test(.requirement("SAC-17", "SAC-32"))
    func `are refused by the guides, where asked for on this machine`() throws {
        try HostMachine(behavior: "documented").run {
            #expect(PasswordVault(flags: .userPresence).save("first") == errSecParam)
            #expect(throws: NSError.self) { try AgePlugin.makeKey() }
        }
    }

    @Test(
        .requirement("SAC-17", "SAC-32"),
        arguments: ["missing-operator", "access-control-update"]
    )
    func `are told both outcomes and the line that chooses`(rule: String) throws {
        let device = try SimulatedDevice()
        try device.installExample().run {
            #expect(PasswordVault(flags: .userPresence).save("first") == errSecParam)
            var error: Unmanaged<CFError>?
            #expect(AgePlugin.control(&error) == nil)
            let sentence = try #require(error).takeRetainedValue().localizedDescription
            #expect(sentence.contains("SimulatedDevice(behavior: .appleSource)"))
        }
        let finding = try #require(device.finding(rule))
        let outcomes = try #require(finding.otherProfile)
        #expect(outcomes.contains("documented: ") && outcomes.contains("; appleSource: "))
        #expect(outcomes.contains("SimulatedDevice(behavior: .appleSource)"))
        #expect(outcomes.contains("KEYCHAIN_BEHAVIOR=documented"))
        #expect(finding.description.contains(outcomes))
    }
}
