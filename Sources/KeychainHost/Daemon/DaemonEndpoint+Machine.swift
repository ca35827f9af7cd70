import KeychainMessages
import KeychainModel
import KeychainPrompts
import Synchronization

// The daemon that this process uses.
extension DaemonEndpoint {
    private static let promptsHere = Atomic(false)

    /// From now on this process shows the prompts of its own calls, for what is typed.
    ///
    /// Only for the command: a program that a person started in a terminal for the keychain.
    package static func promptHere() { promptsHere.store(true, ordering: .releasing) }

    /// The way to the daemon behind a socket, for this process.
    ///
    /// - Throws: `errSecParam` for settings of prompts that do not exist.
    package convenience init(
        _ socket: DaemonSocket,
        _ environment: ProcessEnvironment
    ) throws(KeychainError) {
        var prompter: (any Prompter)?
        // Without a terminal nobody would know which program prompts: the account's agent does.
        if Self.promptsHere.load(ordering: .acquiring),
            ControllingTerminal.exists(ControllingTerminal.path)
        {
            let settings = try PromptSettings { environment[$0] }
            prompter = MachinePrompter(program: environment.executableName, settings: settings)
        }
        self.init(
            path: socket.path,
            server: socket.server,
            prompter: prompter,
            note: DiagnosticOutput.note
        )
    }

    /// The way to a simulated device of another process, which answers its prompts itself.
    ///
    /// - Throws: `errSecNotAvailable` where the device is not running.
    package convenience init(
        _ device: SimulationSocket,
        _ environment: ProcessEnvironment
    ) throws(KeychainError) {
        self.init(
            path: try device.served(),
            declaration: { () throws(KeychainError) in try DeclaredIdentity(of: environment) },
            note: DiagnosticOutput.note
        )
    }
}
