import KeychainSimulator
import LocalAuthentication
import TestSupport
import Testing

@Suite struct `A gated key` {
    private static let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

    /// A key in the secure element whose every use is gated.
    private func makeElementKey(
        _ gated: GatedApp,
        _ flags: SecAccessControlCreateFlags,
        context: LAContext? = nil
    ) -> Outcome<SecKey> {
        gated.app.run {
            let half: Attributes = [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("tag".utf8),
                kSecAttrAccessControl: GatedApp.control(
                    flags,
                    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                ) as Any,
            ]
            var parameters: Attributes = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: half,
            ]
            parameters[kSecUseAuthenticationContext] = context
            return Keys.make(parameters)
        }
    }

    private func sign(
        _ gated: GatedApp,
        _ key: SecKey,
        _ execution: SimulatedApp.Execution = .foreground
    ) -> Outcome<Data> {
        gated.app.run(execution) { Keys.sign(key, Self.algorithm, Data("message".utf8)) }
    }

    @Test(.requirement("SAC-13"), .contradiction("element-key-errors"))
    func `of the secure element asks for every use`() throws {
        let gated = try GatedApp()
        let key = try #require(
            makeElementKey(gated, [.privateKeyUsage, .biometryCurrentSet]).value
        )
        #expect(gated.takePrompts() == [])
        #expect(sign(gated, key).value != nil)
        #expect(sign(gated, key).value != nil)
        #expect(gated.takePrompts() == [.biometry, .biometry])
        #expect(sign(gated, key, .background).isRefusal(-1004, LAErrorDomain))
        gated.device.user.cancels = true
        #expect(sign(gated, key).isRefusal(-2, LAErrorDomain))
        gated.device.user = SimulatedUser(biometric: "stranger")
        #expect(sign(gated, key).isRefusal(-1, LAErrorDomain))
        gated.device.user = .owner
        try gated.device.enroll("second")
        #expect(sign(gated, key).isRefusal(-3, "CryptoTokenKit"))
    }

    @Test(.requirement("SAC-29"))
    func `of the secure element needs nobody when its use alone is restricted`() throws {
        let gated = try GatedApp()
        let key = try #require(makeElementKey(gated, .privateKeyUsage).value)
        gated.device.lock()
        #expect(sign(gated, key, .background).value != nil)
        #expect(gated.takePrompts() == [])
    }

    @Test func `of the secure element is found without a prompt, and used with one`() throws {
        let gated = try GatedApp()
        #expect(makeElementKey(gated, [.privateKeyUsage, .userPresence]).value != nil)
        let query: Attributes = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8), kSecReturnRef: true,
        ]
        let found = gated.app.run(.background) { Items.object(query, as: SecKey.self) }
        let key = try #require(found)
        #expect(gated.takePrompts() == [])
        #expect(sign(gated, key).value != nil)
        #expect(gated.takePrompts() == [.biometry])
    }

    @Test func `uses the context that it was found with`() async throws {
        let gated = try GatedApp()
        #expect(makeElementKey(gated, [.privateKeyUsage, .userPresence]).value != nil)
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        let query: Attributes = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8),
            kSecReturnRef: true, kSecUseAuthenticationContext: context,
        ]
        let key = try #require(gated.app.run { Items.object(query, as: SecKey.self) })
        #expect(sign(gated, key, .background).value != nil)
        context.invalidate()
        #expect(sign(gated, key, .background).isRefusal(-10, LAErrorDomain))
        #expect(gated.takePrompts() == [.biometry])
    }

    @Test func `of the secure element can have a password beside its constraint`() throws {
        let gated = try GatedApp()
        let context = LAContext()
        context.setCredential(Data("pw".utf8), type: .applicationPassword)
        let flags: SecAccessControlCreateFlags = [
            .privateKeyUsage, .applicationPassword, .userPresence,
        ]
        let key = try #require(makeElementKey(gated, flags, context: context).value)
        #expect(sign(gated, key).value != nil)
        context.setCredential(Data("other".utf8), type: .applicationPassword)
        #expect(sign(gated, key).isRefusal(-1, LAErrorDomain))
    }

    @Test func `that is stored is gated as a password is`() throws {
        let gated = try GatedApp()
        let control = try #require(gated.control(.biometryAny))
        let item: Attributes = .reference(Person.ada.key).with([kSecAttrAccessControl: control])
        #expect(gated.app.run { Items.add(item) } == errSecSuccess)
        #expect(gated.app.run(.background) { Items.find(.keys).status } == -25308)
        #expect(gated.takePrompts() == [])
        let key = gated.app.run { Items.object(.keys, as: SecKey.self) }
        #expect(key == Person.ada.key)
        #expect(gated.takePrompts() == [.biometry])
    }
}

@Suite struct `A gated certificate or identity` {
    /// Which halves of Ada's identity are gated.
    enum Half: String, Sendable, CaseIterable {
        case key, certificate, both, none

        var gatesKey: Bool { self == .key || self == .both }
        var gatesCertificate: Bool { self == .certificate || self == .both }
    }

    private func store(_ half: Half, in gated: GatedApp) throws {
        let control: Attributes = [
            kSecAttrAccessControl: try #require(gated.control(.userPresence))
        ]
        gated.app.run {
            let key = Attributes.reference(Person.ada.key)
            let certificate = Attributes.reference(Person.ada.certificate)
            #expect(Items.add(half.gatesKey ? key.with(control) : key) == errSecSuccess)
            #expect(
                Items.add(half.gatesCertificate ? certificate.with(control) : certificate)
                    == errSecSuccess
            )
        }
    }

    @Test(
        .requirement("BIO-17"),
        arguments: Half.allCases,
        [kSecReturnRef, kSecReturnAttributes, kSecReturnPersistentRef].map { $0 as String }
    )
    func `asks once for both halves, whatever is wanted`(half: Half, wanted: String) throws {
        let gated = try GatedApp()
        try store(half, in: gated)
        let query = Attributes.identities.with([wanted as CFString: true])
        let expected = half == .none ? errSecSuccess : errSecInteractionNotAllowed
        #expect(gated.app.run(.background) { Items.find(query).status } == expected)
        #expect(gated.takePrompts() == [])
        #expect(gated.app.run { Items.find(query).status } == errSecSuccess)
        #expect(gated.takePrompts() == (half == .none ? [] : [.biometry]))
        let skip = query.with([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
        let skipped = half == .none ? errSecSuccess : errSecItemNotFound
        #expect(gated.app.run { Items.find(skip).status } == skipped)
    }

    @Test func `skips to an identity that nobody gates`() throws {
        let gated = try GatedApp()
        try store(.key, in: gated)
        gated.app.run {
            #expect(Items.add(.reference(Person.bob.key)) == errSecSuccess)
            #expect(Items.add(.reference(Person.bob.certificate)) == errSecSuccess)
            let skip = Attributes.identities.with([
                kSecUseAuthenticationUI: kSecUseAuthenticationUISkip
            ])
            #expect(Items.object(skip, as: SecIdentity.self) == Person.bob.identity)
        }
        #expect(gated.takePrompts() == [])
    }

    @Test func `passes filters that look into the certificate`() throws {
        let gated = try GatedApp()
        try store(.certificate, in: gated)
        let query = Attributes.certificates.with([
            kSecMatchEmailAddressIfPresent: "ada@example.com", kSecReturnRef: true,
        ])
        let found = gated.app.run { Items.object(query, as: SecCertificate.self) }
        #expect(found == Person.ada.certificate)
        #expect(gated.takePrompts() == [.biometry])
        #expect(gated.app.run(.background) { Items.find(query).status } == -25308)
        let other = query.with([kSecMatchEmailAddressIfPresent: "bob@example.net"])
        #expect(gated.app.run { Items.find(other).status } == errSecItemNotFound)
    }
}
