import KeychainEngine
import KeychainMessages
import KeychainModel
import Secrets

/// A move of the keychain of an environment into the system's daemon, or back.
package struct MovingKeychain {
    private let environment: ProcessEnvironment

    package init(_ environment: ProcessEnvironment) { self.environment = environment }

    /// Moves it into the daemon.
    ///
    /// - Parameters:
    ///   - channel: The daemon.
    ///   - prove: Prompts for the passcode of the daemon's keychain, if that was used before.
    /// - Returns: The result.
    /// - Throws: As ``KeychainDeparture/run()``.
    package func adopt(
        into channel: any DaemonChannel,
        proving prove: @escaping () throws(KeychainError) -> SharedSecret?
    ) throws(KeychainError) -> KeychainDeparture.Report {
        let home = try KeychainHome(environment)
        return try KeychainDeparture(home, into: channel, prove: prove, open: open).run()
    }

    /// Moves it out of the daemon.
    ///
    /// - Throws: As ``KeychainReturn/run(passcode:)``.
    package func release(
        from channel: any DaemonChannel,
        passcode: SharedSecret
    ) throws(KeychainError) -> KeychainReturn.Report {
        try KeychainReturn(try KeychainHome(environment), from: channel, open: open)
            .run(passcode: passcode)
    }

    /// Removes the copies that earlier moves left in the daemon.
    ///
    /// - Returns: Their directories.
    /// - Throws: `errSecNotAvailable` while a move out is unfinished, whose copy may be the last
    ///   one.
    package func discard(
        in channel: any DaemonChannel,
        passcode: SharedSecret
    ) throws(KeychainError) -> [String] {
        try KeychainReturn(try KeychainHome(environment), from: channel, open: open)
            .requireFinished()
        guard
            case .move(.discarded(let paths)) = try channel.perform(
                .move(.discard(passcode: passcode))
            )
        else { throw .unexpectedReply }
        return paths
    }

    private func open(_ home: KeychainHome) throws(KeychainError) -> Engine {
        try EmbeddedKeychain.engine(
            home,
            environment,
            EmbeddedKeychain.EngineTerms(
                sessions: .nowhere,
                surroundings: { Surroundings() },
                note: DiagnosticOutput.note
            )
        )
    }
}
