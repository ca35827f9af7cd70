import KeychainHost
import KeychainModel

/// What a command works with: the terminal, the keychain, and the name it was called by.
package final class CommandContext {
    /// Makes the endpoint, the first time a request is sent.
    package typealias Connect = () throws(KeychainError) -> any Endpoint

    /// `keychain`, or `security` when the command was called by that name.
    package let program: String
    package let terminal: any Terminal
    /// Turns this process into another program.
    let launch: ProgramLaunch.Execute

    private let connect: Connect
    /// Locks a keychain that `connect` cannot open.
    let lockUnopened: () throws(KeychainError) -> Void
    private var endpoint: (any Endpoint)?

    init(
        program: String,
        terminal: any Terminal,
        connect: @escaping Connect,
        lockUnopened: @escaping () throws(KeychainError) -> Void = { () throws(KeychainError) in
            try EmbeddedKeychain.lockUnopened(ProcessEnvironment.current)
        },
        launch: @escaping ProgramLaunch.Execute = { launch throws(CommandFailure) in
            try launch.execute()
        }
    ) {
        self.lockUnopened = lockUnopened
        self.program = program
        self.terminal = terminal
        self.launch = launch
        self.connect = connect
    }

    /// Sends a request to the keychain; the first one opens it.
    ///
    /// - Throws: `CommandFailure.keychain` with what the keychain said.
    package func send(_ request: Request) throws(CommandFailure) -> Reply {
        let endpoint = try connected()
        let reply: Reply
        do throws(KeychainError) { reply = try endpoint.send(request) } catch {
            if error.status == .interactionNotAllowed { try noteHowToUnlock(endpoint) }
            throw .keychain(error)
        }
        if case .earlierValueStays = reply { try note(Self.earlierValueStays) }
        return reply
    }

    /// On a machine that was just started there may be nobody to ask.
    private func noteHowToUnlock(_ endpoint: any Endpoint) throws(CommandFailure) {
        // Whatever keeps the state from being known, the refusal itself follows.
        guard case .status(let status)? = try? endpoint.send(.device(.status)),
            status.lockState == .beforeFirstUnlock
        else { return }
        let text =
            ProcessEnvironment.current[UnlockSource.variable] != nil
            ? "the keychain is locked since the machine started, and \(UnlockSource.variable) did"
                + " not unlock it: run unlock-keychain"
            : "nobody unlocked the keychain since the machine started: run unlock-keychain, with"
                + " --unlock-with where there is nobody to ask, or set \(UnlockSource.variable)"
        try note(text)
    }

    /// Changes the device's state, and tells of what did not work beside that.
    ///
    /// - Throws: `CommandFailure.keychain` if the state is not what was asked for.
    func change(_ command: DeviceCommand) throws(CommandFailure) {
        for warning in try perform(command) {
            try note("warning: \(warning.reason)")
        }
    }

    /// Changes the device's state.
    ///
    /// - Returns: What did not work beside that.
    func perform(_ command: DeviceCommand) throws(CommandFailure) -> [KeychainError] {
        guard case .changed(let warnings) = try send(.device(command)) else {
            throw .unexpectedReply
        }
        return warnings
    }

    private static let earlierValueStays = """
        warning: the change is stored, but the earlier sealed value is still in keychain.db or its \
        log, because another process reads; the next write, or the next program that opens the \
        keychain, removes it
        """

    /// The keychain as its owner sees it, who may copy all of it.
    ///
    /// - Throws: `CommandFailure.keychain`, for one, where the keychain is not in this process.
    func backupEndpoint() throws(CommandFailure) -> any BackupEndpoint {
        guard let endpoint = try connected() as? any BackupEndpoint else {
            throw .keychain(KeychainError(.unimplemented, "this keychain makes no backups"))
        }
        return endpoint
    }

    /// Does what a keychain can that is unlocked without a person.
    ///
    /// - Throws: `CommandFailure.keychain` with what the body throws, and where the keychain is not
    ///   in this process.
    func headless<R>(
        _ body: (any HeadlessEndpoint) throws(KeychainError) -> R
    ) throws(CommandFailure) -> R {
        guard let endpoint = try connected() as? any HeadlessEndpoint else {
            throw .keychain(KeychainError(.unimplemented, "this keychain has no such passcode"))
        }
        do throws(KeychainError) { return try body(endpoint) } catch { throw .keychain(error) }
    }

    /// The endpoint; the first call opens it.
    func connected() throws(CommandFailure) -> any Endpoint {
        if let endpoint { return endpoint }
        do throws(KeychainError) {
            let made = try connect()
            endpoint = made
            return made
        } catch { throw .keychain(error) }
    }

    /// What there is to say about the device and the store.
    package func status() throws(CommandFailure) -> DeviceStatus {
        guard case .status(let status) = try send(.device(.status)) else {
            throw .unexpectedReply
        }
        return status
    }

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
    package func note(_ text: String) throws(CommandFailure) {
        try tell(Page(line: "\(program): \(text)"))
    }

    private func write(_ page: Page, to stream: OutputStream) throws(CommandFailure) {
        do throws(KeychainError) {
            try page.write(to: terminal, stream)
        } catch {
            throw .keychain(error)
        }
    }
}

extension CommandFailure {
    /// The keychain's answer is not of the kind that was asked for.
    static let unexpectedReply = CommandFailure.keychain(
        KeychainError(.internal, "the keychain answered with something else")
    )
}
