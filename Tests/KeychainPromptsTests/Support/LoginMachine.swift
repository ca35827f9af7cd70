import Foundation
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import TestSupport

/// A machine of one test: a message bus with a logind of the test's making, keychain-logind, and
/// an unlocked keychain.
final class LoginMachine {
    let watch: TestProcess
    private let bus: MessageBus
    private let logind: TestProcess
    private let endpoint: EngineEndpoint

    /// The user has one session, `1`.
    init(_ settings: LockSettings) throws {
        let bus = try MessageBus("login")
        self.bus = bus
        endpoint = try Self.keychain(bus.folder, settings)
        logind = try bus.start(MessageBus.product("logind-mock"))
        try Self.happen("begin 1 \(getuid()) user", logind)
        watch = try bus.start(
            MessageBus.product("keychain-logind"),
            [],
            ["KEYCHAIN_HOME": bus.folder + "/keychain", "XDG_RUNTIME_DIR": bus.folder],
            heardOnStandardError: true
        )
    }

    /// Has something happen, as logind-mock reads it.
    func happen(_ events: String...) throws {
        for event in events { try Self.happen(event, logind) }
    }

    private static func happen(_ event: String, _ logind: TestProcess) throws {
        try logind.write(event + "\n")
        guard try logind.hear(until: "\n") == "done\n" else { throw CocoaError(.fileReadUnknown) }
    }

    /// Whether the keychain is locked for a program that had it open all along.
    var isLocked: Bool {
        get throws {
            guard case .status(let status) = try endpoint.send(.status) else {
                return false
            }
            return status.lockState == .locked
        }
    }

    private static func keychain(
        _ folder: String,
        _ settings: LockSettings
    ) throws -> EngineEndpoint {
        let variables = ["XDG_RUNTIME_DIR": folder]
        let environment = ProcessEnvironment(executable: folder + "/mailer") { variables[$0] }
        let endpoint = try EmbeddedKeychain.open(
            KeychainHome(directory: folder + "/keychain"),
            environment,
            stretchingCost: { FingerprintMachine.lightCost }
        )
        let passcode = FingerprintMachine.secret("1234")
        _ = try endpoint.send(.device(.setPasscode(passcode, current: nil)))
        _ = try endpoint.send(.device(.setLockSettings(settings)))
        return endpoint
    }
}
