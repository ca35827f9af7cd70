import KeychainMessages
import KeychainModel
import KeychainPrompts
import Synchronization

// The daemon that this process uses.
extension DaemonEndpoint {
    private static let promptsHere = Atomic(false)

    /// Lets this process show the typed prompts of its own calls from now on.
    ///
    /// It is only for the command, which a person starts in a terminal to use the keychain.
    package static func promptHere() { promptsHere.store(true, ordering: .releasing) }

    /// Creates this process's endpoint for the daemon behind a socket.
    ///
    /// - Throws: `errSecParam` for invalid prompt settings.
    package convenience init(
        _ socket: DaemonSocket,
        _ environment: ProcessEnvironment
    ) throws(KeychainError) {
        var prompter: (any Prompter)?
        // Without a terminal, a user could not tell which program prompts, so the agent does it.
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

    /// Creates an endpoint for a simulated device of another process, which answers its own
    /// prompts.
    ///
    /// - Throws: `errSecNotAvailable` if the device is not running.
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
