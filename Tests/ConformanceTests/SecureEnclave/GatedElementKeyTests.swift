import KeychainSimulator
import LocalAuthentication
import SecureEnclaveKeys
import TestSupport
import Testing

/// A key of the secure element behind an access control, as an item of an app.
private struct GatedKey {
    let device: SimulatedDevice
    let app: SimulatedApp
    static let tag = Data("gated".utf8)

    init(_ flags: SecAccessControlCreateFlags, _ protection: CFString) throws {
        device = try SimulatedDevice()
        app = device.install(.init(bundleIdentifier: "com.example.gated"))
        let half: [String: Any] = [
            kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Self.tag,
            kSecAttrAccessControl as String: SecAccessControlCreateWithFlags(
                nil,
                protection,
                flags,
                nil
            ) as Any,
        ]
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs as String: half,
        ]
        let made = app.run { SecKeyCreateRandomKey(parameters as CFDictionary, nil) }
        _ = try #require(made)
    }

    /// Finds the key, which asks nobody.
    func find(_ more: [String: Any] = [:]) -> (key: SecKey?, status: OSStatus) {
        var query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Self.tag,
            kSecReturnRef as String: true,
        ]
        query.merge(more) { $1 }
        var result: CFTypeRef?
        let status = app.run { SecItemCopyMatching(query as CFDictionary, &result) }
        return (result as? SecKey, status)
    }

    func sign(_ key: SecKey, _ execution: SimulatedApp.Execution = .foreground) -> Int {
        var error: Unmanaged<CFError>?
        let message = Data("message".utf8) as CFData
        let signature = app.run(execution) {
            SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error)
        }
        guard let signature else { return error?.takeRetainedValue().code ?? 0 }
        let isValid = SecKeyCopyPublicKey(key).map {
            SecKeyVerifySignature(
                $0,
                .ecdsaSignatureMessageX962SHA256,
                message,
                signature,
                nil
            )
        }
        #expect(isValid == true)
        return 0
    }
}

@Suite struct `A key of the secure element behind a constraint` {
    private let unlocked = kSecAttrAccessibleWhenUnlockedThisDeviceOnly

    @Test(.requirement("KEY-07")) func `asks at every use, and not before`() throws {
        let gated = try GatedKey([.privateKeyUsage, .userPresence], unlocked)
        let key = try #require(gated.find().key)
        #expect(gated.device.prompts.isEmpty)
        #expect(gated.sign(key) == 0)
        #expect(gated.device.prompts.map(\.kind) == [.biometry])
        #expect(gated.sign(key) == 0)
        #expect(gated.device.prompts.count == 2)
        gated.device.user.cancels = true
        #expect(gated.sign(key) == LAError.userCancel.rawValue)
        #expect(gated.sign(key, .background) == LAError.notInteractive.rawValue)
        #expect(gated.device.prompts.count == 3)
    }

    @Test(.requirement("KEY-06"))
    func `is on P-256, is not exported, and is nowhere but on its device`() throws {
        let gated = try GatedKey([.privateKeyUsage, .userPresence], unlocked)
        let key = try #require(gated.find().key)
        var error: Unmanaged<CFError>?
        #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecKeyIsSensitive))
        let backup = try gated.device.backup(password: "pw")
        let other = try SimulatedDevice()
        try other.restore(backup, password: "pw")
        let elsewhere = other.install(.init(bundleIdentifier: "com.example.gated"))
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: GatedKey.tag,
        ]
        #expect(
            elsewhere.run { SecItemCopyMatching(query as CFDictionary, nil) } == errSecItemNotFound
        )
        #expect(gated.sign(key) == 0)
        #expect(gated.device.prompts.map(\.kind) == [.biometry])
    }

    @Test(.requirement("SAC-29")) func `without one signs in the background`() throws {
        let gated = try GatedKey(
            .privateKeyUsage,
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        )
        let key = try #require(gated.find().key)
        gated.device.lock()
        #expect(gated.sign(key, .background) == 0)
        #expect(gated.device.prompts.isEmpty)
    }

    @Test func `takes the context that found it`() async throws {
        let gated = try GatedKey([.privateKeyUsage, .userPresence], unlocked)
        let context = LAContext()
        let found = gated.find([kSecUseAuthenticationContext as String: context])
        let key = try #require(found.key)
        try await gated.app.run {
            _ = try await context.evaluatePolicy(
                .deviceOwnerAuthentication,
                localizedReason: "to sign"
            )
        }
        #expect(gated.sign(key) == 0)
        #expect(gated.sign(key) == 0)
        #expect(gated.device.prompts.count == 1)
        context.invalidate()
        #expect(gated.sign(key) == LAError.invalidContext.rawValue)
    }

    /// What makes a key useless, by its access control.
    enum Loss: CaseIterable, Sendable {
        case passcodeRemoved, passcodeRemovedAndSet, erased, enrolled
    }

    @Test(.requirement("KEY-20"), arguments: Loss.allCases)
    func `is lost with what it was bound to`(loss: Loss) throws {
        let protection = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        let gated = try GatedKey([.privateKeyUsage, .biometryCurrentSet], protection)
        let key = try #require(gated.find().key)
        #expect(gated.sign(key) == 0)
        switch loss {
        case .passcodeRemoved: try gated.device.removePasscode(current: "0000")
        case .passcodeRemovedAndSet:
            try gated.device.removePasscode(current: "0000")
            try gated.device.setPasscode("1234", current: nil)
        case .erased: gated.device.erase()
        case .enrolled: try gated.device.enroll("another")
        }
        #expect(gated.sign(key) != 0)
        guard loss != .enrolled else {
            #expect(gated.find().status == errSecSuccess)
            // CryptoTokenKit's number for corrupted data: nothing opens the key any more.
            #expect(gated.sign(key) == -3)
            return
        }
        let app = gated.device.install(.init(bundleIdentifier: "com.example.gated"))
        let query: [String: Any] = [kSecClass as String: kSecClassKey]
        #expect(app.run { SecItemCopyMatching(query as CFDictionary, nil) } == errSecItemNotFound)
    }
}
