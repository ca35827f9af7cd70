import Foundation
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import Secrets

/// A machine of one test: a message bus with an fprintd of the test's making, a keychain with a
/// passcode, and a terminal.
final class FingerprintMachine {
    static let passcode = "1234"

    let terminal: PseudoTerminal
    let endpoint: EngineEndpoint
    private let folder: String
    private let processes: [Process]
    private let reader: ScriptedProgram

    init() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/finger-" + UUID().uuidString
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let address = "unix:path=\(folder)/bus"
        try Self.configuration(address)
            .write(toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
        let bus = try Self.start(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(folder)/bus.conf", "--nofork", "--print-address"]
        )
        let script = folder + "/fprintd"
        let fprintd = try Self.start(
            Self.product("fingerprint-mock"),
            [script],
            ["DBUS_SYSTEM_BUS_ADDRESS": address]
        )
        processes = [fprintd, bus]
        reader = try Self.reader(on: address)
        terminal = try PseudoTerminal()
        endpoint = try Self.keychain(in: folder, reader, terminal)
        // A finger is known before the passcode is typed, which lets it stand in until a lock.
        try self.fprintd("finger right-thumb", "verify verify-match")
        let passcode = Self.secret(Self.passcode)
        _ = try endpoint.send(.device(.setPasscode(passcode, current: nil)))
        _ = try endpoint.send(.device(.unlock(passcode: passcode)))
    }

    deinit {
        // With the keys goes the session image.
        try? endpoint.engine.erase()
        for process in processes {
            // Foundation's children can have SIGTERM blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// What fprintd is like from now on, as fingerprint-mock reads it.
    func fprintd(_ lines: String...) throws {
        let text = lines.map { $0 + "\n" }.joined()
        try text.write(toFile: folder + "/fprintd", atomically: true, encoding: .utf8)
    }

    static func secret(_ text: String) -> SharedSecret {
        SharedSecret(Secret(copying: Array(text.utf8)))
    }

    /// Starts a program and waits for its first line.
    private static func start(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
        return process
    }

    private static func reader(on address: String) throws -> ScriptedProgram {
        let program = try product("keychain-fingerprint")
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
            terminal: terminal.path
        )
    }

    /// A program of this package, which is built beside the tests.
    private static func product(_ name: String) throws -> String {
        let products = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let places = products.flatMap { [$0, $0.deletingLastPathComponent()] }
        let found = places.map { $0.appending(path: name).path }
            .first(where: FileManager.default.isExecutableFile)
        guard let found else { throw CocoaError(.fileNoSuchFile) }
        return found
    }

    private static func configuration(_ address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>\(address)</listen>
          <policy context="default">
            <allow own="*"/>
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
          </policy>
        </busconfig>
        """
    }
}
