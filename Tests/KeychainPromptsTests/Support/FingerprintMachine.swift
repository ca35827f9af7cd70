import Cryptography
import Foundation
import KeychainEngine
import KeychainHost
import KeychainModel
import Secrets
import TestSupport

/// A machine of one test: a message bus with an fprintd of the test's making, a keychain with a
/// passcode, and a terminal.
final class FingerprintMachine {
    static let passcode = "1234"

    let terminal: PseudoTerminal
    let endpoint: EngineEndpoint
    private let bus: MessageBus
    private let reader: ScriptedProgram

    init() throws {
        let bus = try MessageBus("finger")
        self.bus = bus
        _ = try bus.start(MessageBus.product("fingerprint-mock"), [bus.folder + "/fprintd"])
        reader = try Self.reader(on: bus.address)
        terminal = try PseudoTerminal()
        endpoint = try Self.keychain(in: bus.folder, reader, terminal)
        // A finger is known before the passcode is typed, which lets it stand in until a lock.
        try self.fprintd("finger right-thumb", "verify verify-match")
        let passcode = Self.secret(Self.passcode)
        _ = try endpoint.send(.device(.setPasscode(passcode, current: nil)))
        _ = try endpoint.send(.device(.unlock(passcode: passcode)))
    }

    deinit {
        // With the keys goes the session image.
        try? endpoint.engine.erase()
    }

    /// What fprintd is like from now on, as fingerprint-mock reads it.
    func fprintd(_ lines: String...) throws {
        let text = lines.map { $0 + "\n" }.joined()
        try text.write(toFile: bus.folder + "/fprintd", atomically: true, encoding: .utf8)
    }

    /// What a passcode costs here, for no test is about guessing.
    static let lightCost = Argon2id.Cost(memoryKiB: 64, passes: 1, lanes: 1)

    static func secret(_ text: String) -> SharedSecret {
        SharedSecret(Secret(copying: Array(text.utf8)))
    }

    private static func reader(on address: String) throws -> ScriptedProgram {
        let program = try MessageBus.product("keychain-fingerprint")
        return try ScriptedProgram(
            "export DBUS_SYSTEM_BUS_ADDRESS='\(address)'; exec '\(program)' \"$@\""
        )
    }

    private static func keychain(
        in folder: String,
        _ reader: ScriptedProgram,
        _ terminal: PseudoTerminal
    ) throws -> EngineEndpoint {
        let variables = [
            "KEYCHAIN_FINGERPRINT": reader.path, "KEYCHAIN_PROMPT": "terminal",
            "XDG_RUNTIME_DIR": folder,
        ]
        let environment = ProcessEnvironment(executable: folder + "/mailer") { variables[$0] }
        return try EmbeddedKeychain.open(
            KeychainHome(directory: folder + "/keychain"),
            environment,
            terminal: terminal.path,
            stretchingCost: { lightCost }
        )
    }
}
