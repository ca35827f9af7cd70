import Dispatch
import KeychainMessages
import KeychainModel
import Secrets

/// The choice of the endpoint for the requests of this process.
///
/// - Source: the public contract, in Documentation/Testing.md, "Where a call goes".
package enum RequestRouter {
    /// The simulated app of the current task; nil outside of one.
    @TaskLocal package static var current: (any Endpoint)?

    private static let processWide = AdaptiveMutex<(any Endpoint)?>(nil)

    /// Sends every request of this process without a task-local endpoint to one place.
    package static func setProcessWide(_ endpoint: (any Endpoint)?) {
        processWide.withLock { $0 = endpoint }
    }

    /// The simulated app, or the endpoint that refuses a call outside of every app.
    ///
    /// It is nil if the call is for this machine's keychain.
    package static var simulated: (any Endpoint)? {
        if let app = current ?? processWide.withLock({ $0 }) { return app }
        return StrayCalls.areRefused(in: .current) ? StrayEndpoint() : nil
    }

    /// Returns the simulated app if there is one, or else the keychain of this machine.
    ///
    /// Once this process has made a simulated device, a call outside of every app is sent to an
    /// endpoint that refuses it.
    /// - Throws: The reason why the machine's keychain cannot be opened; the next call tries again.
    package static func endpoint() throws(KeychainError) -> any Endpoint {
        if let simulated { return simulated }
        return try EmbeddedKeychain.endpoint()
    }

    /// Returns the directory that the next call would create, if no keychain exists yet.
    ///
    /// It is nil for a simulated device or a daemon, and if there is no directory to use.
    package static func absentDirectory(in environment: ProcessEnvironment) -> String? {
        guard DaemonSocket.found(environment) == nil,
            case .some(.none) = try? SimulationSocket.named(in: environment),
            let home = try? KeychainHome(environment), home.isAbsent
        else { return nil }
        return home.directory
    }

    /// The profiles that apply here, even if the machine's keychain cannot be opened.
    package static var profiles: Profiles {
        if let simulated { return simulated.profiles }
        guard !ProcessEnvironment.current.isProtected,
            ProcessEnvironment.current[SimulationSocket.variable] != nil,
            let device = try? EmbeddedKeychain.endpoint()
        else { return EmbeddedKeychain.profiles }
        return device.profiles
    }

    /// Records a finding that was made before a keychain was reached.
    package static func note(_ finding: Finding) {
        if let simulated { simulated.note(finding) } else { DiagnosticOutput.note(finding) }
    }
}

// Threads and queues do not inherit task-local values, so these functions pass them on.
extension RequestRouter {
    /// Runs work on another thread, in the present simulated app.
    package static func async(_ work: @escaping @Sendable () -> Void) {
        let app = current
        DispatchQueue.global().async { $current.withValue(app, operation: work) }
    }

    /// Returns the same function, whose calls go to one endpoint wherever it runs.
    package static func carrying<each Argument, Value>(
        _ endpoint: any Endpoint,
        _ body: @escaping @Sendable (repeat each Argument) -> Value
    ) -> @Sendable (repeat each Argument) -> Value {
        { (argument: repeat each Argument) in
            $current.withValue(endpoint) { body(repeat each argument) }
        }
    }

    /// Returns the same throwing function, whose calls go to one endpoint wherever it runs.
    package static func carrying<each Argument, Value>(
        _ endpoint: any Endpoint,
        _ body: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> @Sendable (repeat each Argument) throws -> Value {
        { (argument: repeat each Argument) in
            try $current.withValue(endpoint) { try body(repeat each argument) }
        }
    }

    /// Returns the same asynchronous function, whose calls go to one endpoint wherever it runs.
    package static func carrying<Value>(
        _ endpoint: any Endpoint,
        _ body: @escaping @Sendable () async throws -> Value
    ) -> @Sendable () async throws -> Value {
        { try await $current.withValue(endpoint) { try await body() } }
    }
}
