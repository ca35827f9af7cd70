import Foundation
import KeychainSecretService
import KeychainSockets
import TestSupport
import Testing

@Suite struct `The command line of the Secret Service` {
    @Test(arguments: [
        (["-x"], "unknown option -x"), (["serve"], "unknown argument serve"),
        (["--replace", "--bus"], "--bus needs an address"),
        (["--shared", "--apart"], "--shared and --apart exclude each other"),
    ])
    func `is refused with the word that is wrong`(words: [String], reason: String) {
        let expected = #expect(throws: ServiceOptions.UsageError.self) {
            try ServiceOptions.parse(words)
        }
        #expect(expected?.reason == reason)
    }

    @Test func `tells scripts the name first, and people who reads what`() {
        let line = "org.freedesktop.secrets\n"
        #expect(SecretServiceProgram.readiness(.apart, forPerson: false) == line)
        let text = SecretServiceProgram.readiness(.shared, forPerson: true)
        #expect(text.hasPrefix(line + "keychain-secret-service serves this session"))
        #expect(text.hasSuffix("; every program of the session reads every item.\n"))
    }
}

@Suite struct `The list of doors` {
    /// sd-bus itself would wait for 90 seconds.
    @Test func `does not wait for a bus that says nothing`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The kernel lets clients in; nobody reads what they write.
        let listener = try UnixListener(at: folder + "/bus", mode: 0o600)
        let start = ContinuousClock.now
        let result = try runProgram(
            [MessageBus.product("keychain-doors")],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"]
        )
        #expect(result.output.contains("the session bus does not answer"))
        #expect(ContinuousClock.now - start < .seconds(45))
        _ = listener.descriptor
    }
}
