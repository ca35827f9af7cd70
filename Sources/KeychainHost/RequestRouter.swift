import Dispatch
import KeychainMessages
import KeychainModel
import Secrets

/// Decides which endpoint the requests of this process reach.
///
/// - Source: the public contract, in Documentation/Testing.md, "Where a call goes".
package enum RequestRouter {
    /// The simulated app that the current task stands for; nil outside of one.
    @TaskLocal package static var current: (any Endpoint)?

    private static let processWide = AdaptiveMutex<(any Endpoint)?>(nil)

    /// Sends every request of this process that no task-local endpoint claims to one place.
    package static func setProcessWide(_ endpoint: (any Endpoint)?) {
        processWide.withLock { $0 = endpoint }
    }

    /// The simulated app, or what refuses a call that belongs to none; nil where this machine's
    /// keychain is meant.
    package static var simulated: (any Endpoint)? {
        if let app = current ?? processWide.withLock({ $0 }) { return app }
        return StrayCalls.areRefused(in: .current) ? StrayEndpoint() : nil
    }

    /// The simulated app if there is one, else the keychain of this machine.
    ///
    /// Once this process has made a simulated device, a call that belongs to none goes to an
    /// endpoint that refuses it.
    /// - Throws: why the machine's keychain cannot be opened; the next call tries again.
    package static func endpoint() throws(KeychainError) -> any Endpoint {
        if let simulated { return simulated }
        return try EmbeddedKeychain.endpoint()
    }

    /// The directory that the next call would make, because no keychain exists yet.
    ///
    /// nil for a simulated device or a daemon, and where no place is named.
    package static func absentDirectory(in environment: ProcessEnvironment) -> String? {
        guard DaemonSocket.found(environment) == nil,
            case .some(.none) = try? SimulationSocket.named(in: environment),
            let home = try? KeychainHome(environment), home.isAbsent
        else { return nil }
        return home.directory
    }

    /// The profiles that apply here, also when the machine's keychain cannot be opened.
    package static var profiles: Profiles {
        if let simulated { return simulated.profiles }
        guard !ProcessEnvironment.current.isProtected,
            ProcessEnvironment.current[SimulationSocket.variable] != nil,
            let device = try? EmbeddedKeychain.endpoint()
        else { return EmbeddedKeychain.profiles }
        return device.profiles
    }

    /// Takes a finding that was made before a keychain was reached.
    package static func note(_ finding: Finding) {
        if let simulated { simulated.note(finding) } else { DiagnosticOutput.note(finding) }
    }
}

// Threads and queues inherit no task-local value, so it is handed to them.
extension RequestRouter {
    /// Runs work on another thread, in the simulated app that runs now.
    package static func async(_ work: @escaping @Sendable () -> Void) {
        let app = current
        DispatchQueue.global().async { $current.withValue(app, operation: work) }
    }

    /// The same function, whose calls go to one endpoint wherever it runs.
    package static func carrying<each Argument, Value>(
        _ endpoint: any Endpoint,
        _ body: @escaping @Sendable (repeat each Argument) -> Value
    ) -> @Sendable (repeat each Argument) -> Value {
        { (argument: repeat each Argument) in
            $current.withValue(endpoint) { body(repeat each argument) }
        }
    }

    /// The same throwing function, whose calls go to one endpoint wherever it runs.
    package static func carrying<each Argument, Value>(
        _ endpoint: any Endpoint,
        _ body: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> @Sendable (repeat each Argument) throws -> Value {
        { (argument: repeat each Argument) in
            try $current.withValue(endpoint) { try body(repeat each argument) }
        }
    }

    /// The same asynchronous function, whose calls go to one endpoint wherever it runs.
    package static func carrying<Value>(
        _ endpoint: any Endpoint,
        _ body: @escaping @Sendable () async throws -> Value
    ) -> @Sendable () async throws -> Value {
        { try await $current.withValue(endpoint) { try await body() } }
    }
}
