import Foundation
import KeychainSimulator
import LocalAuthentication
import Security
import TestSupport
import Testing

/// The four functions, as code calls them that forgot which app it is.
private func strayStatuses() -> [OSStatus] {
    let item = Password(account: "stray")
    return [item.add(), item.find(), item.update("newer"), item.delete()]
}

@Suite(.timeLimit(.minutes(10))) struct `A call that belongs to no simulated device` {
    @Test(.requirement("USE-02"), arguments: OtherThread.allCases)
    func `is refused, explained and printed once`(thread: OtherThread) async throws {
        let home = PersonalHome()
        defer { home.remove() }
        let child = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) { [thread = thread.rawValue as String, home = home.path as String] in
            PersonalHome.adopt(home)
            let app = try SimulatedDevice().installExample()
            let thread = try #require(OtherThread(rawValue: thread))
            let statuses = await app.run { await thread.run(strayStatuses) }
            try #require(statuses == Array(repeating: errSecNotAvailable, count: 4))
            let findings = SimulatedDevice.strayFindings
            try #require(findings.map(\.verb) == [.add, .copyMatching, .update, .delete])
            try #require(findings.allSatisfy { $0.status == errSecNotAvailable })
            try #require(findings.allSatisfy { $0.sentence.contains("app.carrying") })
            try #require(app.run { Password(account: "stray").find() } == errSecItemNotFound)
            try #require(PersonalHome.files(home).isEmpty)
        }
        let printed = String(decoding: try #require(child).standardErrorContent, as: UTF8.self)
        let lines = printed.split(separator: "\n").filter { $0.contains("SecItem") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("app.carrying") == true)
        #expect(lines.first?.contains("KEYCHAIN_HOME") == true)
        #expect(lines.first?.contains("errSecNotAvailable (-25291)") == true)
    }

    @Test(.requirement("USE-02")) func `is refused for contexts and keys of the element, too`()
        async
    {
        await #expect(processExitsWith: .success) {
            let home = PersonalHome()
            PersonalHome.adopt(home.path)
            defer { home.remove() }
            let app = try SimulatedDevice().installExample()
            let (context, key) = try app.run {
                let parameters: [CFString: Any] = [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                    kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                ]
                let key = SecKeyCreateRandomKey(parameters as CFDictionary, nil)
                return (LAContext(), try #require(key))
            }
            var error: NSError?
            let policy = LAPolicy.deviceOwnerAuthentication
            try #require(!context.canEvaluatePolicy(policy, error: &error))
            try #require(error?.localizedDescription.contains("app.carrying") == true)
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let message = Data("message".utf8) as CFData
            try #require(SecKeyCreateSignature(key, algorithm, message, nil) == nil)
            try #require(SimulatedDevice.strayFindings.map(\.verb) == [.context, .key])
            try #require(app.run { SecKeyCreateSignature(key, algorithm, message, nil) } != nil)
            SimulatedDevice.removeStrayFindings()
            try #require(SimulatedDevice.strayFindings.isEmpty)
        }
    }

    @Test(
        .requirement("USE-02"),
        arguments: ["KEYCHAIN_HOME=keychain", "KEYCHAIN_SOCKET=no.sock", "KEYCHAIN_SOCKET="]
    )
    func `goes to this machine's keychain where a variable asks for it`(setting: String) async {
        await #expect(processExitsWith: .success) { [setting = setting as String] in
            let home = PersonalHome()
            PersonalHome.adopt(home.path)
            defer { home.remove() }
            let parts = setting.split(separator: "=").map(String.init)
            let value = parts.count > 1 ? home.path + "/" + parts[1] : ""
            setenv(parts[0], value, 1)
            let app = try SimulatedDevice().installExample()
            try #require(app.run { Password().find() } == errSecItemNotFound)
            try #require(Password().add() == errSecSuccess)
            try #require(app.run { Password().find() } == errSecItemNotFound)
            try #require(PersonalHome.files(home.path).contains("keychain/keychain.db"))
            try #require(SimulatedDevice.strayFindings.isEmpty)
        }
    }

    @Test(.requirement("USE-02"))
    func `goes to this machine's keychain where no device was made`() async {
        await #expect(processExitsWith: .success) {
            let home = PersonalHome()
            PersonalHome.adopt(home.path)
            defer { home.remove() }
            try #require(Password().add() == errSecSuccess)
            try #require(PersonalHome.files(home.path).contains("keychain/keychain.db"))
            // From now on it does not.
            _ = try SimulatedDevice()
            try #require(Password().find() == errSecNotAvailable)
        }
    }
}
