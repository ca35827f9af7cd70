import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts
import KeychainSockets
import ProgramStart
import SSHAgentProtocol
import SSHKeys
import Secrets

/// The program, after its command line was parsed.
struct AgentProgram {
    let options: AgentOptions
    let signals: AgentSignals

    /// Runs the program.
    ///
    /// - Returns: The exit status. A command replaces this process, so the call does not return.
    func run() -> Int32 {
        do throws(KeychainError) {
            switch options.mode {
            case .help: AgentOutput.write(AgentOptions.usage)
            case .version: AgentOutput.write("\(AgentOutput.name) \(Version.text)\n")
            case .stop: return stop()
            case .background: try leave(nil)
            case .command(let words): try leave(words)
            case .foreground: try serveHere()
            case .inherited(let isWatching):
                let (path, directory) = (options.socket, options.directory)
                let socket = try AgentSocket(inheriting: 3, at: path, in: directory)
                try serve(socket, watching: isWatching ? 4 : -1)
            }
            return 0
        } catch {
            AgentOutput.complain(error.reason)
            return 1
        }
    }

    private func stop() -> Int32 {
        guard let text = AgentSocket.variable("SSH_AGENT_PID"), let process = Int32(text),
            process > 1
        else {
            AgentOutput.complain("SSH_AGENT_PID is not set, so it is unknown which agent to stop")
            return 1
        }
        guard kill(process, SIGTERM) == 0 else {
            AgentOutput.complain("process \(process): \(String(cString: strerror(errno)))")
            return 1
        }
        AgentOutput.write(AgentOutput.farewell(processID: process, options.shell))
        return 0
    }

    private func serveHere() throws(KeychainError) {
        if let number = AgentSocket.systemdDescriptor() {
            return try serve(AgentSocket(inheriting: number), watching: -1)
        }
        let socket = try AgentSocket(at: options.socket)
        let announcement = AgentOutput.announcement(
            socket: socket.path ?? "",
            processID: getpid(),
            options.shell
        )
        AgentOutput.write(announcement)
        try serve(socket, watching: -1)
    }

    private func serve(
        _ socket: consuming AgentSocket,
        watching watched: Int32
    ) throws(KeychainError) {
        let socket = socket
        let loop = try AgentLoop()
        let wake = loop.waker
        let prompter = try ConfirmationPrompter(program: AgentOutput.name, asksLikeSSH: true) {
            name in ProcessEnvironment.current[name]
        }
        let server = AgentServer(
            AgentMachine(
                lifetimeSeconds: options.lifetimeSeconds,
                fingerprintHash: options.fingerprintHash
            ),
            SSHKeychain { () throws(KeychainError) in try RequestRouter.endpoint() },
            prompter,
            wake: { wake(.look) }
        )
        let signals = signals
        let waits = DetachedThread.start {
            while true { wake(signals.wait() == SIGHUP ? .show : .end) }
        }
        guard waits else { throw KeychainError(.notAvailable, "no thread can be started") }
        loop.run(socket.listener, watching: watched, server)
        socket.remove()
    }
}

// Running in the background.
extension AgentProgram {
    /// Starts the agent as another process, then ends, or becomes the command.
    private func leave(_ command: [String]?) throws(KeychainError) {
        let socket = try AgentSocket(at: options.socket)
        let path = socket.path ?? ""
        var words = [AgentOutput.name, command == nil ? "--inherited" : "--inherited-watching"]
        words += ["-a", path] + (socket.directory.map { ["--directory", $0] } ?? [])
        if let seconds = options.lifetimeSeconds { words += ["-t", String(seconds)] }
        words += ["-E", options.fingerprintHash.rawValue]
        let process = try spawn(words, socket.listener.descriptor.number, watched: command != nil)
        guard let command else {
            AgentOutput.write(
                AgentOutput.announcement(socket: path, processID: process, options.shell)
            )
            return
        }
        signals.restore()
        let variables = [("SSH_AUTH_SOCK", path), ("SSH_AGENT_PID", String(process))]
        do throws(StartFailure) {
            try ProgramReplacement.become(
                command[0],
                Array(command.dropFirst()),
                adding: variables.map { ($0, SharedSecret(Secret(copying: Array($1.utf8)))) }
            )
        } catch {
            kill(process, SIGTERM)
            throw KeychainError(.notAvailable, "\(command[0]): \(error.reason)")
        }
    }

    /// Starts this program again in a new session, with the socket as descriptor 3 and this process
    /// as descriptor 4.
    private func spawn(
        _ words: [String],
        _ socket: Int32,
        watched: Bool
    ) throws(KeychainError) -> Int32 {
        let own: KeychainSockets.Descriptor
        do throws(SocketError) { own = try .process(getpid()) } catch {
            throw KeychainError(.notAvailable, error.words)
        }
        var plan = ProgramPlan(ProcessEnvironment.current.executable, Array(words.dropFirst()))
        plan.name = words.first
        plan.environment = GivenEnvironment.remainder
        plan.descriptors[3] = socket
        if watched { plan.descriptors[4] = own.number }
        plan.group = .session
        // The agent lives until `-k`, or until the watched process ends.
        do throws(StartFailure) { return try plan.start().detach() } catch {
            throw KeychainError(.notAvailable, error.description)
        }
    }
}
