import Glibc
import Secrets

/// A command that root protected, and whose person may nevertheless choose a keychain.
package enum ProtectedCommand {
    /// Gives the protection up where the person asks for a keychain without the system daemon: for
    /// this process's own (`KEYCHAIN_SOCKET=`), for a simulated device, or for whatever there is on
    /// a machine without that daemon.
    ///
    /// Only for the command, which a person types, and before anything else looks at the
    /// environment. To the system daemon this process is then like any other of the account.
    ///
    /// - Parameters:
    ///   - variable: The value of an environment variable; nil where it is unset.
    ///   - system: Where the system daemon would listen.
    ///   - drop: Gives the protection up.
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
        // A program that keeps its group goes on being a protected one, with all of its rules.
        if isChosen { _ = drop() }
    }
}
