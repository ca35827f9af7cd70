import KeychainHost
import KeychainMessages
import KeychainModel
import WebCredentials

/// What a command works with: the terminal, the keychain, and the name it was called by.
package final class CommandContext {
    /// Makes the endpoint, the first time a request is sent.
    package typealias Connect = () throws(KeychainError) -> any Endpoint

    /// `keychainctl`, or `security` when the command was called by that name.
    package let program: String
    package let terminal: any Terminal
    /// Turns this process into another program.
    let launch: ProgramLaunch.Execute
    /// The variables that this process was given.
    let environment: ProcessEnvironment

    /// The directory that `connect` would make, because no keychain exists yet.
    let absentDirectory: () -> String?

    private let connect: Connect
    /// Locks a keychain that `connect` cannot open.
    let lockUnopened: () throws(KeychainError) -> Void
    /// How the session of this command goes.
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

    /// The same terminal and session at another keychain.
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

    /// The same command line in a session; the keychain is opened anew.
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

    /// Sends a request to the keychain; the first one opens it.
    ///
    /// - Throws: `CommandFailure.keychain` with the keychain's error and what to do about it.
    package func send(_ request: ItemRequest) throws(CommandFailure) -> ItemReply {
        let endpoint = try connected()
        let reply: ItemReply
        do throws(KeychainError) { reply = try endpoint.send(request) } catch {
            throw .keychain(advised(error))
        }
        if case .earlierValueStays = reply { try note(Self.earlierValueStays) }
        return reply
    }

    /// The keychain for what looks for credentials of the web in it.
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

    /// Changes the device's state, and tells of what did not work beside that.
    ///
    /// - Throws: `CommandFailure.keychain` if the state is not what was asked for.
    func change(_ command: DeviceRequest) throws(CommandFailure) {
        for warning in try perform(command) {
            try note("warning: \(warning.reason)")
        }
    }

    /// Changes the device's state.
    ///
    /// - Returns: What did not work beside that.
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

    /// How this keychain is unlocked without a person.
    ///
    /// - Throws: `CommandFailure.keychain` where the keychain cannot be opened.
    func headless() throws(CommandFailure) -> HeadlessUnlock {
        _ = try connected()
        return try CommandFailure.wrapping(try HeadlessUnlock(environment))
    }

    /// The endpoint; the first call opens it.
    package func connected() throws(CommandFailure) -> any Endpoint {
        if let endpoint { return endpoint }
        do throws(KeychainError) {
            let made = try connect()
            endpoint = made
            return made
        } catch { throw .keychain(error) }
    }

    /// What there is to say about the device and the store.
    package func status() throws(CommandFailure) -> DeviceStatus {
        guard case .status(let status) = try send(.status) else {
            throw .unexpectedReply
        }
        return status
    }

    /// Whether the keychain that was opened is in another process.
    var isElsewhere: Bool { endpoint.map { !($0 is EngineEndpoint) } ?? false }

    /// Writes to standard output.
    package func print(_ page: Page) throws(CommandFailure) {
        try write(page, to: .output)
    }

    /// Writes a line to standard output; control characters are escaped.
    package func print(line: String) throws(CommandFailure) {
        try write(Page(line: line), to: .output)
    }

    /// Writes to standard error.
    package func tell(_ page: Page) throws(CommandFailure) {
        try write(page, to: .diagnostics)
    }

    /// Writes a line with the program's name in front to standard error.
    ///
    /// With `-q` it leaves out what is only a note or a warning.
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
    /// The keychain's answer is not of the kind that was asked for.
    static let unexpectedReply = CommandFailure.keychain(.unexpectedReply)
}
