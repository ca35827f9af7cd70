import Glibc
import Secrets

/// A command that root protected, but whose user may still choose a keychain.
package enum ProtectedCommand {
    /// Drops the protection if the user requests a keychain without the system daemon.
    ///
    /// It is this process's own (`KEYCHAIN_SOCKET=`), a simulated device, or any keychain on a
    /// machine without that daemon. It is only for the command, which a person types, and has to
    /// run before anything else reads the environment. For the system daemon, this process is then
    /// like any other of the account.
    ///
    /// - Parameters:
    ///   - variable: Returns the value of an environment variable; nil if it is unset.
    ///   - system: The socket path of the system daemon.
    ///   - drop: Drops the protection.
    package static func yieldToChoice(
        variable: @escaping @Sendable (String) -> String? = { name in
            getenv(name).map { String(cString: $0) }
        },
        system: String = DaemonSocket.systemPath,
        drop: () -> Bool = RaisedGroup.drop
    ) {
        let environment = ProcessEnvironment(executable: "", variable: variable)
        let isChosen =
            environment[SimulationSocket.variable] != nil
            || DaemonSocket.isForbidden(environment)
            || !DaemonSocket.candidates(environment, system: system).contains(where: \.isLasting)
        // If that fails, the program remains a protected one, with all of its rules.
        if isChosen { _ = drop() }
    }
}
