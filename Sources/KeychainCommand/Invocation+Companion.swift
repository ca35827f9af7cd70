import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel

extension Invocation {
    /// Runs this process as the companion of `keychainctl` that carries out one command.
    ///
    /// The companion sees the keychain as `keychainctl` does: with the entitlements and the access
    /// group of `keychainctl` beside it. The same is true of calls through `RequestRouter`.
    ///
    /// - Parameters:
    ///   - name: The command's name in the table.
    ///   - run: The work of the command.
    /// - Returns: The exit status of the process.
    package static func runCompanion(_ name: String, _ run: @escaping Command.Run) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        occupyStandardFiles()
        DaemonEndpoint.promptHere()
        let terminal = ProcessTerminal()
        let invocation = Invocation(
            program: programName,
            terminal: terminal,
            handlers: [name: run],
            connect: { () throws(KeychainError) in try keychainEndpoint(terminal) }
        )
        return invocation.run([name] + CommandLine.arguments.dropFirst())
    }

    /// Returns a companion's environment as if the command beside it ran in its place.
    static func commandEnvironment(of companion: ProcessEnvironment) -> ProcessEnvironment {
        companion.running(companion.executableDirectory + "/" + programName)
    }

    private static func keychainEndpoint(
        _ terminal: any Terminal
    ) throws(KeychainError) -> any Endpoint {
        let environment = commandEnvironment(of: .current)
        let endpoint = try NewKeychainNotice.connect(environment, program: programName, terminal) {
            () throws(KeychainError) in
            if let device = try SimulationSocket.named(in: environment) {
                return try DaemonEndpoint(device, environment)
            }
            if let socket = DaemonSocket.found(environment) {
                return try DaemonEndpoint(socket, environment)
            }
            return try EmbeddedKeychain.open(try KeychainHome(environment), environment)
        }
        RequestRouter.setProcessWide(endpoint)
        return endpoint
    }
}
