import KeychainSimulator
import LocalAuthentication
import SecureEnclaveKeys
import TestSupport
import Testing

/// What code of other people asks of both kinds of keys.
private protocol DeviceKey {
    associatedtype Half: PublicPoint
    init(dataRepresentation: Data, authenticationContext: LAContext?) throws
    var dataRepresentation: Data { get }
    var publicKey: Half { get }
}

// That this compiles is half of the test: two types, each with a conformance of its own.
extension SecureEnclave.P256.Signing.PrivateKey: DeviceKey {}
extension SecureEnclave.P256.KeyAgreement.PrivateKey: DeviceKey {}

private func again<Key: DeviceKey>(_ key: Key) throws -> Key {
    try Key(dataRepresentation: key.dataRepresentation, authenticationContext: nil)
}

private func onPhone(_ body: (SimulatedDevice) throws -> Void) throws {
    let device = try SimulatedDevice()
    try device.install(.init(bundleIdentifier: "com.example.enclave")).run { try body(device) }
}

@Suite struct `The shapes of CryptoKit` {
    private typealias Signing = SecureEnclave.P256.Signing
    private typealias KeyAgreement = SecureEnclave.P256.KeyAgreement

    /// `openssl ec -pubout` writes it in every form.
    private static let point = Data(
        hex: """
            04 0462f2a89596c2ad0b4a28d8d39d53af2cca6f215f67fddbcc293cdc232f3a2d
            b67c6fa003111011b64d3d64b5fc8fdf4c9448c78ad2bcf1705af8a05d3f4b62
            """
    )

    @Test(.requirement("KEY-18", "KEY-11"))
    func `conform both kinds of keys to one protocol of somebody else's`() throws {
        try onPhone { _ in
            let signing = try Signing.PrivateKey()
            #expect(try again(signing).publicKey == signing.publicKey)
            let agreement = try KeyAgreement.PrivateKey()
            #expect(try again(agreement).publicKey == agreement.publicKey)
        }
    }

    @Test(.requirement("KEY-18"))
    func `have an access control that is asked by a key from its bytes too`() throws {
        try onPhone { device in
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                [.privateKeyUsage, .userPresence],
                nil
            )
            let signing = try Signing.PrivateKey(accessControl: control)
            _ = try again(signing).signature(for: Data("message".utf8))
            #expect(device.prompts.count == 1)
            let agreement = try KeyAgreement.PrivateKey(accessControl: control)
            let other = try KeyAgreement.PrivateKey()
            _ = try agreement.sharedSecretFromKeyAgreement(with: other.publicKey)
            #expect(device.prompts.count == 2)
            device.user.cancels = true
            #expect(throws: NSError.self) { try signing.signature(for: Data()) }
        }
    }

    @Test(.requirement("KEY-18"))
    func `have an authentication context that answers for all its keys`() throws {
        try onPhone { device in
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                [.privateKeyUsage, .userPresence],
                nil
            )
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 60
            let key = try Signing.PrivateKey(accessControl: control, authenticationContext: context)
            _ = try key.signature(for: Data("one".utf8))
            let restored = try Signing.PrivateKey(
                dataRepresentation: key.dataRepresentation,
                authenticationContext: context
            )
            _ = try restored.signature(for: Data("two".utf8))
            #expect(device.prompts.count == 1)
            context.invalidate()
            #expect(throws: NSError.self) { try key.signature(for: Data("three".utf8)) }
        }
    }

    @Test(.requirement("KEY-18"))
    func `write a public key in every form, and read it again`() throws {
        let point = Self.point
        let key = try Signing.PublicKey(x963Representation: point)
        let x = Data(point[1..<33])
        #expect(key.rawRepresentation == Data(point.dropFirst()))
        #expect(key.compressedRepresentation == Data([2]) + x)
        let header = Data(hex: "3059301306072a8648ce3d020106082a8648ce3d030107034200")
        #expect(key.derRepresentation == header + point)
        let lines = key.pemRepresentation.split(separator: "\n")
        #expect(lines.first == "-----BEGIN PUBLIC KEY-----")
        #expect(lines.dropFirst().dropLast().map(\.count) == [64, 60])
        let copies = [
            try Signing.PublicKey(rawRepresentation: key.rawRepresentation),
            try Signing.PublicKey(compressedRepresentation: key.compressedRepresentation),
            try Signing.PublicKey(derRepresentation: key.derRepresentation),
            try Signing.PublicKey(pemRepresentation: "\n" + key.pemRepresentation + "\r\n"),
        ]
        #expect(copies.allSatisfy { $0 == key })
        let agreement = try KeyAgreement.PublicKey(pemRepresentation: key.pemRepresentation)
        #expect(agreement.x963Representation == point)
    }

    @Test(.requirement("KEY-18"))
    func `write x alone where the smaller y belongs to it`() throws {
        let key = try Signing.PublicKey(x963Representation: Self.point)
        let x = Data(Self.point[1..<33])
        let both = try [UInt8(2), 3].map {
            try Signing.PublicKey(compressedRepresentation: Data([$0]) + x)
        }
        #expect(both[0] == key && both[1] != key)
        // b6… is the larger of the two.
        #expect(both[0].compactRepresentation == nil && both[1].compactRepresentation == x)
        #expect(try Signing.PublicKey(compactRepresentation: x) == both[1])
    }

    @Test(arguments: [
        "", "04", "5f", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
        "-----BEGIN PUBLIC KEY-----\n!!\n-----END PUBLIC KEY-----",
        "-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----",
    ])
    func `read nothing else`(text: String) throws {
        let bytes = Data(text.utf8)
        #expect(throws: (any Error).self) { try Signing.PublicKey(pemRepresentation: text) }
        #expect(throws: (any Error).self) { try Signing.PublicKey(derRepresentation: bytes) }
        #expect(throws: (any Error).self) { try Signing.PublicKey(compactRepresentation: bytes) }
        #expect(throws: (any Error).self) { try Signing.PublicKey(compressedRepresentation: bytes) }
        #expect(throws: (any Error).self) { try Signing.ECDSASignature(derRepresentation: bytes) }
        #expect(throws: (any Error).self) { try Signing.ECDSASignature(rawRepresentation: bytes) }
        // Above the field's prime.
        #expect(throws: (any Error).self) {
            try Signing.PublicKey(compactRepresentation: Data(repeating: 0xFF, count: 32))
        }
    }

    @Test(.requirement("KEY-18"))
    func `have signatures in both forms, which OpenSSL verifies`() throws {
        try onPhone { _ in
            let key = try Signing.PrivateKey()
            let message = Data("message".utf8)
            let signature = try key.signature(for: message)
            #expect(signature.rawRepresentation.count == 64)
            let copies = [
                try Signing.ECDSASignature(rawRepresentation: signature.rawRepresentation),
                try Signing.ECDSASignature(derRepresentation: signature.derRepresentation),
            ]
            #expect(copies.allSatisfy { $0 == signature })
            #expect(key.publicKey.isValidSignature(signature, for: message))
            let changed = signature.rawRepresentation.flipping(byte: 63)
            let wrong = try Signing.ECDSASignature(rawRepresentation: changed)
            #expect(!key.publicKey.isValidSignature(wrong, for: message))
            let files = [
                "public.pem": Data(key.publicKey.pemRepresentation.utf8), "message": message,
                "signature": signature.derRepresentation,
            ]
            try OpenSSL.run(
                "dgst -sha256 -verify public.pem -signature signature message",
                files: files
            )
        }
    }

    @Test(.requirement("KEY-18"))
    func `derive the keys that OpenSSL derives`() throws {
        try onPhone { _ in
            let key = try KeyAgreement.PrivateKey()
            let own = try KeyPair.p256.files()
            let publicKey = try #require(Keys.export(KeyPair.p256.publicKey).value)
            let peer = try KeyAgreement.PublicKey(x963Representation: publicKey)
            let secret = try key.sharedSecretFromKeyAgreement(with: peer)
            let files = own.merging(["peer.pem": Data(key.publicKey.pemRepresentation.utf8)]) { $1 }
            let agreed = try OpenSSL.run(
                "pkeyutl -derive -inkey private.der -keyform DER -peerkey peer.pem",
                files: files
            )
            #expect(secret.withUnsafeBytes { Data($0) } == agreed)
            let hex = agreed.map { String(format: "%02x", $0) }.joined()
            let derived = secret.hkdfDerivedSymmetricKey(
                using: SecureEnclave.SHA384.self,
                salt: Data("salt".utf8),
                sharedInfo: Data(repeating: 7, count: 20),
                outputByteCount: 64
            )
            let info = String(repeating: "07", count: 20)
            let kdf =
                "kdf -binary -keylen 64 -kdfopt digest:SHA384 -kdfopt hexkey:\(hex) "
                + "-kdfopt salt:salt -kdfopt hexinfo:\(info) HKDF"
            #expect(derived.withUnsafeBytes { Data($0) } == (try OpenSSL.run(kdf)))
            let x963 = secret.x963DerivedSymmetricKey(
                using: SecureEnclave.SHA256.self,
                sharedInfo: Data(repeating: 7, count: 20),
                outputByteCount: 40
            )
            let x963kdf =
                "kdf -binary -keylen 40 -kdfopt digest:SHA256 -kdfopt hexkey:\(hex) "
                + "-kdfopt hexinfo:\(info) X963KDF"
            #expect(x963.withUnsafeBytes { Data($0) } == (try OpenSSL.run(x963kdf)))
            #expect(SecureEnclave.SymmetricKey(data: x963) == x963 && x963 != derived)
            #expect(x963.description == "Secret(40 bytes)" && x963.bitCount == 320)
        }
    }
}
