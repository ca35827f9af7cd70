import KeychainSimulator
import LocalAuthentication
import TestSupport
import Testing

@Suite struct `An application password` {
    @Test(.requirement("SAC-15"))
    func `is asked for when the item is made, and again before it is read`() throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add(.applicationPassword) == errSecSuccess)
        #expect(gated.takePrompts() == [.newApplicationPassword])
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.applicationPassword])
    }

    /// ★ Which prompts lead to an item with both layers.
    private static let layers: [(SecAccessControlCreateFlags.RawValue, [PromptRecord.Kind])] = [
        (
            SecAccessControlCreateFlags(
                [.biometryAny, .or, .devicePasscode, .applicationPassword]
            ).rawValue, [.biometry, .applicationPassword]
        ),
        (
            SecAccessControlCreateFlags([.biometryAny, .applicationPassword]).rawValue,
            [.biometry, .applicationPassword]
        ),
        (
            SecAccessControlCreateFlags([.biometryCurrentSet, .and, .applicationPassword])
                .rawValue, [.biometry, .applicationPassword]
        ),
        (
            SecAccessControlCreateFlags([.userPresence, .applicationPassword]).rawValue,
            [.biometry, .applicationPassword]
        ),
        (
            SecAccessControlCreateFlags([.devicePasscode, .applicationPassword]).rawValue,
            [.passcode, .applicationPassword]
        ),
    ]

    @Test(.requirement("SAC-14", "SAC-16", "SAC-23"), arguments: layers)
    func `is a further layer around the constraints`(
        flags: SecAccessControlCreateFlags.RawValue,
        prompts: [PromptRecord.Kind]
    ) throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add(SecAccessControlCreateFlags(rawValue: flags)) == errSecSuccess)
        #expect(gated.takePrompts() == [.newApplicationPassword])
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == prompts)
        gated.device.user.applicationPassword = "other"
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts() == prompts)
        gated.device.user = SimulatedUser(
            biometric: "stranger",
            passcode: "1111",
            applicationPassword: "pw"
        )
        #expect(gated.read() == errSecAuthFailed)
        #expect(!gated.takePrompts().contains(.applicationPassword))
        gated.device.user = SimulatedUser(
            biometric: "owner",
            passcode: "0000",
            applicationPassword: "pw"
        )
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("SAC-14"))
    func `is needed although every constraint is met already`() async throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add([.userPresence, .applicationPassword]) == errSecSuccess)
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        gated.device.user.applicationPassword = "other"
        #expect(gated.read(context: context) == errSecAuthFailed)
        gated.device.user.applicationPassword = nil
        #expect(gated.read(context: context) == errSecAuthFailed)
        context.interactionNotAllowed = true
        #expect(gated.read(context: context) == errSecInteractionNotAllowed)
        #expect(context.setCredential(Data("pw".utf8), type: .applicationPassword))
        #expect(gated.read(context: context) == errSecSuccess)
    }

    @Test(.requirement("BIO-12"), arguments: [1, 4095, 4096, 1_000_000])
    func `of a context seals and opens an item, however long it is`(byteCount: Int) throws {
        let gated = try GatedApp()
        let password = Data(repeating: 1, count: byteCount)
        let (writer, reader, stranger) = (LAContext(), LAContext(), LAContext())
        #expect(writer.setCredential(password, type: .applicationPassword))
        #expect(gated.add(.applicationPassword, context: writer) == errSecSuccess)
        #expect(reader.setCredential(password, type: .applicationPassword))
        #expect(gated.read(context: reader) == errSecSuccess)
        #expect(stranger.setCredential(password + [1], type: .applicationPassword))
        #expect(gated.read(context: stranger) == errSecAuthFailed)
    }

    @Test(
        .requirement("BIO-19"),
        arguments: [true, false],
        ["other", "PW", "pw ", "p"]
    )
    func `that is wrong is refused, and the item survives`(
        isCredential: Bool,
        attempt: String
    ) throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add(.applicationPassword) == errSecSuccess)
        let context = LAContext()
        if isCredential {
            context.setCredential(Data(attempt.utf8), type: .applicationPassword)
        } else {
            gated.device.user.applicationPassword = attempt
        }
        #expect(gated.read(context: context) == errSecAuthFailed)
        gated.device.user.applicationPassword = "pw"
        #expect(gated.read() == errSecSuccess)
    }

    @Test func `has at least one byte`() throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = ""
        #expect(gated.add(.applicationPassword) == errSecAuthFailed)
        gated.device.user.applicationPassword = nil
        #expect(gated.add(.applicationPassword) == errSecAuthFailed)
        #expect(gated.read() == errSecItemNotFound)
    }

    @Test(.requirement("SAC-30", "BIO-12"))
    func `opens in the background when the context holds it`() throws {
        let gated = try GatedApp()
        let context = LAContext()
        #expect(context.setCredential(Data("pw".utf8), type: .applicationPassword))
        let protection = kSecAttrAccessibleAfterFirstUnlock
        #expect(
            gated.add(.applicationPassword, protection, .background, context: context)
                == errSecSuccess
        )
        #expect(gated.read(.background, context: context) == errSecSuccess)
        gated.device.lock()
        #expect(gated.read(.background, context: context) == errSecSuccess)
        #expect(gated.read(.background) == errSecInteractionNotAllowed)
        #expect(gated.read(.background, context: LAContext()) == errSecInteractionNotAllowed)
        context.setCredential(nil, type: .applicationPassword)
        #expect(gated.read(.background, context: context) == errSecInteractionNotAllowed)
        #expect(gated.takePrompts() == [])
        #expect(
            gated.add(.applicationPassword, protection, account: "bob", .background)
                == errSecInteractionNotAllowed
        )
    }
}
