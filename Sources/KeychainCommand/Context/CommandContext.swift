import KeychainHost
import KeychainMessages
import KeychainModel
import WebCredentials

/// The surroundings of a command: its terminal, its keychain, and the name of the program.
package final class CommandContext {
    /// Opens the keychain, when the first request is sent.
    package typealias Connect = () throws(KeychainError) -> any Endpoint

    /// `keychainctl`, or `security` if the program was run by that name.
    package let program: String
    package let terminal: any Terminal
    /// Replaces this process with another program.
    let launch: ProgramLaunch.Execute
    /// The environment of this process.
    let environment: ProcessEnvironment

    /// The directory that `connect` would make, because no keychain exists yet.
    let absentDirectory: () -> String?

    private let connect: Connect
    /// Locks a keychain that `connect` could not open.
    let lockUnopened: () throws(KeychainError) -> Void
    /// The settings of this command's session.
    let session: CommandSession
    private var endpoint: (any Endpoint)?

    init(
        program: String,
        terminal: any Terminal,
        environment: ProcessEnvironment = .current,
        absentDirectory: @escaping () -> String? = { nil },
        connect: @escaping Connect,
        lockUnopened: @escaping () throws(KeychainError) -> Void = { () throws(KeychainError) in
            try EmbeddedKeychain.lockUnopened(ProcessEnvironment.current)
        },
        launch: @escaping ProgramLaunch.Execute = { launch throws(CommandFailure) in
            try launch.execute()
        },
        session: CommandSession = CommandSession()
    ) {
        self.session = session
        self.absentDirectory = absentDirectory
        self.lockUnopened = lockUnopened
        self.program = program
        self.terminal = terminal
        self.environment = environment
        self.launch = launch
        self.connect = connect
    }

    /// Returns a context with the same terminal and session, and another keychain.
    func changed(
        environment: ProcessEnvironment,
        connect: @escaping Connect
    ) -> CommandContext {
        CommandContext(
            program: program,
            terminal: terminal,
            environment: environment,
            absentDirectory: { nil },
            connect: connect,
            lockUnopened: { () throws(KeychainError) in
                try EmbeddedKeychain.lockUnopened(environment)
            },
            launch: launch,
            session: session
        )
    }

    /// Returns a context for another session, which opens the keychain again.
    func changed(session: CommandSession) -> CommandContext {
        CommandContext(
            program: program,
            terminal: terminal,
            environment: environment,
            absentDirectory: absentDirectory,
            connect: connect,
            lockUnopened: lockUnopened,
            launch: session.isInteractive ? CommandSession.refuse : launch,
            session: session
        )
    }

    /// Sends a request to the keychain; the first request opens it.
    ///
    /// - Throws: `CommandFailure.keychain` with the keychain's error and advice.
    package func send(_ request: ItemRequest) throws(CommandFailure) -> ItemReply {
        let endpoint = try connected()
        let reply: ItemReply
        do throws(KeychainError) { reply = try endpoint.send(request) } catch {
            throw .keychain(advised(error))
        }
        if case .earlierValueStays = reply { try note(Self.earlierValueStays) }
        return reply
    }

    /// The keychain, as the search for web credentials uses it.
    var credentialKeychain: CredentialKeychain {
        CredentialKeychain { request throws(KeychainError) in
            do throws(CommandFailure) { return try self.send(request) } catch {
                throw error.refusal
            }
        }
    }

    private func send(_ request: DeviceRequest) throws(CommandFailure) -> DeviceReply {
        let endpoint = try connected()
        do throws(KeychainError) { return try endpoint.send(request) } catch {
            throw .keychain(advised(error))
        }
    }

    /// Changes the device's state, and prints the warnings.
    ///
    /// - Throws: `CommandFailure.keychain` if the state did not change as requested.
    func change(_ command: DeviceRequest) throws(CommandFailure) {
        for warning in try perform(command) {
            try note("warning: \(warning.reason)")
        }
    }

    /// Changes the device's state.
    ///
    /// - Returns: Warnings about side effects that failed.
    func perform(_ command: DeviceRequest) throws(CommandFailure) -> [KeychainError] {
        guard case .changed(let warnings) = try send(command) else {
            throw .unexpectedReply
        }
        return warnings
    }

    private static let earlierValueStays = """
        warning: the change is stored, but the earlier sealed value is still in keychain.db or its \
        log, because another process reads; the next write, or the next program that opens the \
        keychain, removes it
        """

    /// Returns how this keychain is unlocked without a user.
    ///
    /// - Throws: `CommandFailure.keychain` if the keychain does not open.
    func headless() throws(CommandFailure) -> HeadlessUnlock {
        _ = try connected()
        return try CommandFailure.wrapping(try HeadlessUnlock(environment))
    }

    /// Returns the endpoint; the first call opens it.
    package func connected() throws(CommandFailure) -> any Endpoint {
        if let endpoint { return endpoint }
        do throws(KeychainError) {
            let made = try connect()
            endpoint = made
            return made
        } catch { throw .keychain(error) }
    }

    /// Returns the status of the device and the store.
    package func status() throws(CommandFailure) -> DeviceStatus {
        guard case .status(let status) = try send(.status) else {
            throw .unexpectedReply
        }
        return status
    }

    /// Whether another process holds the keychain that was opened.
    var isElsewhere: Bool { endpoint.map { !($0 is EngineEndpoint) } ?? false }

    /// Writes to standard output.
    package func print(_ page: Page) throws(CommandFailure) {
        try write(page, to: .output)
    }

    /// Writes a line to standard output, with control characters escaped.
    package func print(line: String) throws(CommandFailure) {
        try write(Page(line: line), to: .output)
    }

    /// Writes to standard error.
    package func tell(_ page: Page) throws(CommandFailure) {
        try write(page, to: .diagnostics)
    }

    /// Writes a line to standard error, after the program's name.
    ///
    /// With `-q`, it omits notes and warnings.
    package func note(_ text: String) throws(CommandFailure) {
        guard !session.isQuiet || !text.hasPrefix("note: ") && !text.hasPrefix("warning: ") else {
            return
        }
        try tell(Page(line: "\(program): \(text)"))
    }

    private func write(_ page: Page, to stream: OutputStream) throws(CommandFailure) {
        try CommandFailure.wrapping(try page.write(to: terminal, stream))
    }
}

extension CommandFailure {
    /// The failure for a reply of the wrong kind.
    static let unexpectedReply = CommandFailure.keychain(.unexpectedReply)
}
