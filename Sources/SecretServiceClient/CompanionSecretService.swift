import Foundation
import Glibc
import KeychainMigration
import ProgramStart
import Synchronization

// Law: a process with privileges uses no bus that its account names. `keychain-bus` uses it with
// only the account's rights.

/// The Secret Service on the session's message bus, through a companion program.
package final class CompanionSecretService: SecretService {
    /// The name of the companion program, which is beside this program.
    package static let programName = "keychain-bus"

    private let connection: Mutex<Connection>

    /// Starts the program, and waits until it has found the service.
    ///
    /// - Parameters:
    ///   - program: The program's path.
    ///   - environment: Its environment, which identifies the bus.
    /// - Throws: `unreadable` if there is no bus, no service, or no such program.
    package init(
        _ program: String,
        environment: [String] = GivenEnvironment.settings
    ) throws(SourceFailure) {
        let connection = try Connection(program, environment)
        try connection.requireStart()
        self.connection = Mutex(connection)
    }

    package func listing() throws(SourceFailure) -> SecretServiceListing {
        guard case .listing(let listing) = try ask(.listing) else { throw Self.ended }
        return listing
    }

    package func item(at path: String) throws(SourceFailure) -> SecretServiceItem? {
        guard case .item(let item) = try ask(.item(path)) else { throw Self.ended }
        return item
    }

    package func value(at path: String) throws(SourceFailure) -> SecretServiceValue {
        guard case .value(let value) = try ask(.value(path)) else { throw Self.ended }
        return value
    }

    package func delete(_ path: String) throws(SourceFailure) {
        guard case .done = try ask(.delete(path)) else { throw Self.ended }
    }

    package func create(
        _ item: SecretServiceItem,
        _ value: SecretServiceValue
    ) throws(SourceFailure) -> String {
        guard case .created(let path) = try ask(.create(item, value)) else { throw Self.ended }
        return path
    }

    package func replace(
        _ path: String,
        with value: SecretServiceValue
    ) throws(SourceFailure) {
        guard case .done = try ask(.replace(path, value)) else { throw Self.ended }
    }

    private func ask(_ call: ServiceCall) throws(SourceFailure) -> ServiceAnswer {
        try connection.withLock { connection throws(SourceFailure) in try connection.ask(call) }
    }

    fileprivate static let ended = SourceFailure(
        .unreadable,
        "secret-service: \(programName) ended, or did not answer"
    )
}

/// The program, and this process's end of the connection.
private struct Connection: ~Copyable {
    private let program: StartedProgram
    private let socket: Int32

    init(_ path: String, _ environment: [String]) throws(SourceFailure) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw CompanionSecretService.ended }
        defer { close(ends[1]) }
        var plan = ProgramPlan(path, environment: environment)
        plan.descriptors = [STDIN_FILENO: ends[1]]
        do throws(StartFailure) { program = try plan.start() } catch {
            close(ends[0])
            throw SourceFailure(.unreadable, "secret-service: \(error.description)")
        }
        socket = ends[0]
    }

    deinit { close(socket) }

    borrowing func requireStart() throws(SourceFailure) {
        guard case .done = try answer() else { throw CompanionSecretService.ended }
    }

    borrowing func ask(_ call: ServiceCall) throws(SourceFailure) -> ServiceAnswer {
        guard ServiceMessages(socket).send(call) else { throw CompanionSecretService.ended }
        return try answer()
    }

    private borrowing func answer() throws(SourceFailure) -> ServiceAnswer {
        guard let answer = ServiceMessages(socket).receive(ServiceAnswer.self) else {
            throw CompanionSecretService.ended
        }
        if case .failed(let failure) = answer { throw failure }
        return answer
    }
}
