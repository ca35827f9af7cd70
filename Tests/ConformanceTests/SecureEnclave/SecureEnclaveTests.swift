import KeychainSimulator
import LocalAuthentication
import SecureEnclaveKeys
import TestSupport
import Testing

extension SimulatedDevice {
    fileprivate func installEnclaveApp() -> SimulatedApp {
        install(.init(bundleIdentifier: "com.example.enclave"))
    }
}

/// The code of an error of the keychain.
private func code(_ body: () throws -> Void) -> Int {
    do {
        try body()
        return 0
    } catch {
        return (error as NSError).code
    }
}

/// What a program has in memory, and what it keeps outside of the keychain.
private struct KeptKeys: Sendable {
    private let signing: SecureEnclave.P256.Signing.PrivateKey
    private let agreement: SecureEnclave.P256.KeyAgreement.PrivateKey
    private let blobs: [Data]

    init() throws {
        signing = try SecureEnclave.P256.Signing.PrivateKey()
        agreement = try SecureEnclave.P256.KeyAgreement.PrivateKey()
        blobs = [signing.dataRepresentation, agreement.dataRepresentation]
    }

    /// Whether the key and its blob sign.
    func sign() throws -> Bool {
        let message = Data("message".utf8)
        let restored = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blobs[0])
        return try [signing, restored].allSatisfy { key in
            signing.publicKey.isValidSignature(try key.signature(for: message), for: message)
        }
    }

    /// Whether the key and its blob agree with another on the same.
    func agree() throws -> Bool {
        let restored = try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: blobs[1])
        let secrets = try [agreement, restored].map { key in
            try key.sharedSecretFromKeyAgreement(with: agreement.publicKey)
                .withUnsafeBytes { [UInt8]($0) }
        }
        return secrets[0] == secrets[1]
    }
}

@Suite struct `A key of the secure enclave, under CryptoKit's names` {
    private let device: SimulatedDevice
    private let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice()
        app = device.installEnclaveApp()
    }

    @Test(.requirement("KEY-18")) func `signs, and its public half verifies`() throws {
        try app.run {
            #expect(SecureEnclave.isAvailable)
            let context = LAContext()
            let control = try #require(
                SecAccessControlCreateWithFlags(
                    nil,
                    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                    [.privateKeyUsage, .userPresence],
                    nil
                )
            )
            let key = try SecureEnclave.P256.Signing.PrivateKey(
                accessControl: control,
                authenticationContext: context
            )
            #expect(device.prompts.isEmpty)
            let signature = try key.signature(for: Data("message".utf8))
            #expect(device.prompts.map(\.kind) == [.biometry])
            #expect(key.publicKey.isValidSignature(signature, for: Data("message".utf8)))
            #expect(!key.publicKey.isValidSignature(signature, for: Data("another".utf8)))
            let raw = key.publicKey.rawRepresentation
            #expect(raw.count == 64)
            let copy = try SecureEnclave.P256.Signing.PublicKey(rawRepresentation: raw)
            #expect(copy == key.publicKey)
            #expect(copy.x963Representation.count == 65)
        }
    }

    @Test(.requirement("KEY-18")) func `agrees with another on the same secret`() throws {
        try app.run {
            let own = try SecureEnclave.P256.KeyAgreement.PrivateKey()
            let other = try SecureEnclave.P256.KeyAgreement.PrivateKey()
            let derived = try [
                own.sharedSecretFromKeyAgreement(with: other.publicKey),
                other.sharedSecretFromKeyAgreement(with: own.publicKey),
            ].map { secret in
                #expect(secret.withUnsafeBytes { $0.count } == 32)
                #expect("\(secret)" == "Secret(32 bytes)")
                return [
                    secret.hkdfDerivedSymmetricKey(
                        using: SecureEnclave.SHA256.self,
                        salt: Data("salt".utf8),
                        sharedInfo: Data("info".utf8),
                        outputByteCount: 32
                    ),
                    secret.x963DerivedSymmetricKey(
                        using: SecureEnclave.SHA512.self,
                        sharedInfo: Data(),
                        outputByteCount: 48
                    ),
                ]
            }
            #expect(derived[0] == derived[1])
            #expect(derived[0].map(\.bitCount) == [256, 384])
        }
    }

    @Test(.requirement("KEY-11"))
    func `comes back from the blob that was stored, on the device that made it`() throws {
        let stored = Password(account: "enclave key")
        let blob = try app.run {
            let key = try SecureEnclave.P256.Signing.PrivateKey()
            var item = stored.query
            item[kSecValueData as String] = key.dataRepresentation
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            item[kSecValueData as String] = nil
            item[kSecReturnData as String] = true
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(item as CFDictionary, &result) == errSecSuccess)
            let read = try #require(result as? Data)
            #expect(read == key.dataRepresentation)
            let again = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: read)
            #expect(again.publicKey == key.publicKey)
            let signature = try again.signature(for: Data("message".utf8))
            #expect(key.publicKey.isValidSignature(signature, for: Data("message".utf8)))
            return read
        }
        device.reboot()
        try device.unlock(passcode: "0000")
        app.run {
            let observed = code {
                _ = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blob)
            }
            #expect(observed == 0)
        }
        try SimulatedDevice().installEnclaveApp().run {
            let observed = code {
                _ = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blob)
            }
            #expect(observed == Self.corruptedData)
        }
    }

    /// CryptoTokenKit's error for a key that the token cannot open.
    private static let corruptedData = -3

    @Test(.requirement("KEY-23"), arguments: ["0000", nil])
    func `outlives what becomes of the passcode`(first: String?) throws {
        let device = try SimulatedDevice(passcode: first)
        let app = device.installEnclaveApp()
        let kept = try app.run { try KeptKeys() }
        var passcode = first
        let next: [String?] = ["1111", "2222", "2222", nil, "3333"]
        let working = try next.map { next in
            if let next {
                try device.setPasscode(next, current: passcode)
            } else if let passcode {
                try device.removePasscode(current: passcode)
            }
            passcode = next
            device.reboot()
            if let next { try device.unlock(passcode: next) }
            return try app.run { try [kept.sign(), kept.agree()] }
        }
        #expect(working == next.map { _ in [true, true] })
    }

    /// By what a key needs the passcode.
    enum Bond: CaseIterable, Sendable {
        case protection, passcode, presence

        var control: SecAccessControl? {
            let (protection, flags): (CFString, SecAccessControlCreateFlags) =
                switch self {
                case .protection: (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, [])
                case .passcode: (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .devicePasscode)
                case .presence: (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence)
                }
            let all = flags.union(.privateKeyUsage)
            return SecAccessControlCreateWithFlags(nil, protection, all, nil)
        }
    }

    @Test(.requirement("KEY-20"), arguments: Bond.allCases)
    func `that a program keeps ends with the passcode that it needs, and with a factory reset`(
        bond: Bond
    ) throws {
        let (blob, lasting) = try app.run {
            let control = try #require(bond.control)
            let bound = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
            let other = try SecureEnclave.P256.Signing.PrivateKey()
            return (bound.dataRepresentation, other.dataRepresentation)
        }
        func sign(_ blob: Data) -> Int {
            app.run {
                code {
                    let key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blob)
                    _ = try key.signature(for: Data("message".utf8))
                }
            }
        }
        try device.setPasscode("1111", current: "0000")
        #expect([blob, lasting].map(sign) == [0, 0])
        try device.removePasscode(current: "1111")
        #expect(sign(blob) != 0)
        #expect(sign(lasting) == 0)
        try device.setPasscode("1111", current: nil)
        #expect(sign(blob) != 0)
        #expect(sign(lasting) == 0)
        device.erase()
        let new = device.installEnclaveApp()
        let observed = new.run {
            code { _ = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: lasting) }
        }
        #expect(observed == Self.corruptedData)
    }

    @Test(.requirement("KEY-19"), .contradiction("ios-simulator"))
    func `cannot be made where there is none`() throws {
        let blob = try app.run { try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation }
        try SimulatedDevice(system: .iOSSimulator).installEnclaveApp().run {
            #expect(!SecureEnclave.isAvailable)
            #expect(
                code { _ = try SecureEnclave.P256.Signing.PrivateKey() } == Int(errSecUnimplemented)
            )
            #expect(
                code { _ = try SecureEnclave.P256.KeyAgreement.PrivateKey() }
                    == Int(errSecUnimplemented)
            )
            #expect(
                code {
                    _ = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blob)
                } == Int(errSecUnimplemented)
            )
        }
    }

    @Test func `is refused from any other bytes`() throws {
        try app.run {
            let blob = [UInt8](try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation)
            let signing = SpoiledBytes.all(of: blob, flipping: 1).filter { spoiled in
                failure {
                    try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: spoiled)
                        .signature(for: Data("message".utf8))
                } == nil
            }
            #expect(signing == [])
            #expect(throws: (any Error).self) {
                try SecureEnclave.P256.Signing.PublicKey(rawRepresentation: Data(count: 64))
            }
        }
    }

    @Test func `follows the lock state`() throws {
        let key = try app.run { try SecureEnclave.P256.Signing.PrivateKey() }
        device.lock()
        app.run {
            #expect(
                code { _ = try key.signature(for: Data()) } == Int(errSecInteractionNotAllowed)
            )
            #expect(
                code { _ = try SecureEnclave.P256.Signing.PrivateKey() }
                    == Int(errSecInteractionNotAllowed)
            )
        }
    }
}
