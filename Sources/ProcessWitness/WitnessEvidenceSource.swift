import CallerEvidence
import Glibc
import KeychainSockets
import Synchronization

@_implementationOnly import CWitness

/// A source of evidence that asks the witness, the only process that may inspect programs of other
/// accounts.
///
/// Every question has a connection of its own: none waits for another, and an unanswered one has no
/// later effect.
package final class WitnessEvidenceSource: EvidenceSource {
    private let address: Mutex<WitnessAddress>
    package let clientGroup: UInt32?
    /// The child process that restarts the witness; nil if systemd does.
    private let child: WitnessChild?
    private let digests = ExecutableDigests()

    /// The longest time of a question before the witness counts as ended, in seconds.
    static let timeLimit: UInt32 = 3

    private init(_ address: WitnessAddress, _ clientGroup: UInt32?, _ child: WitnessChild?) {
        self.address = Mutex(address)
        self.clientGroup = clientGroup
        self.child = child
    }

    /// Uses a witness that another process started, and connects with the first question.
    ///
    /// - Returns: nil for a path that is too long for a socket.
    package static func connect(
        path: String,
        clientGroup: UInt32? = ClientGroup.number
    ) -> WitnessEvidenceSource? {
        WitnessAddress(path: path).map { WitnessEvidenceSource($0, clientGroup, nil) }
    }

    /// Starts a witness for this process, and restarts it if it ends.
    ///
    /// It ends with this process. It needs `CAP_SYS_PTRACE`, so only root can start one.
    package static func spawn(
        program: String,
        clientGroup: UInt32? = ClientGroup.number
    ) throws(EvidenceError) -> WitnessEvidenceSource {
        let child = WitnessChild(program: program)
        return WitnessEvidenceSource(try child.start(), clientGroup, child)
    }

    package func evidence(
        of peer: PeerIdentity,
        process: Int32
    ) throws(EvidenceError) -> Evidence {
        let known = address.withLock(\.self)
        if let found = try answer(about: peer, process, at: known) { return found }
        // The witness ended before it answered; systemd, or this process, starts another.
        let fresh = try child?.restart(after: known) ?? known
        address.withLock { $0 = fresh }
        guard let found = try answer(about: peer, process, at: fresh) else { throw .unanswered }
        return found
    }

    /// Asks once.
    ///
    /// - Returns: nil if no witness listens there, or it ended.
    /// - Throws: `EvidenceError`; `unanswered` for a witness that takes too long.
    private func answer(
        about peer: PeerIdentity,
        _ process: Int32,
        at address: WitnessAddress
    ) throws(EvidenceError) -> Evidence? {
        let socket: WitnessSocket
        do throws(WitnessSocketError) {
            socket = try address.connect(seconds: Self.timeLimit)
        } catch {
            guard error.code == ECONNREFUSED, child != nil else { throw .unanswered }
            return nil
        }
        let question = WitnessQuestion(userID: peer.userID, clientGroup: clientGroup)
        guard socket.send(question.bytes, descriptor: process),
            let message = socket.receive(limit: WitnessAnswer.byteLimit)
        else {
            guard socket.isClosed else { throw .unanswered }
            return nil
        }
        switch WitnessAnswer(message.bytes) {
        case nil: throw .unanswered
        case .failure(let error): throw error
        case .evidence(let evidence):
            guard evidence.userID == peer.userID, evidence.processID == peer.processID else {
                throw .ended
            }
            let file = message.takeFile()
            return digests.completed(ProcessInspection.Finding(evidence: evidence, content: file))
        }
    }
}

/// A witness that this process started.
private final class WitnessChild: Sendable {
    private struct State: ~Copyable {
        var process: pid_t = 0
        var address: WitnessAddress?
        /// A descriptor that is open while this process runs; the witness ends with it.
        var lifeline: Descriptor?
    }

    private let program: String
    private let state = Mutex(State())

    init(program: String) { self.program = program }

    /// Ends the witness and collects its exit status, so that it does not remain a zombie.
    deinit {
        state.withLock { Self.end(&$0) }
    }

    /// Starts the witness.
    ///
    /// - Throws: `EvidenceError.refused` with the operation.
    func start() throws(EvidenceError) -> WitnessAddress {
        try state.withLock { state throws(EvidenceError) in try Self.start(program, &state) }
    }

    /// Restarts the witness, because no process listens at its address.
    ///
    /// Several threads may have noticed that.
    func restart(after refused: WitnessAddress) throws(EvidenceError) -> WitnessAddress {
        try state.withLock { state throws(EvidenceError) in
            if let known = state.address, known != refused { return known }
            // The old witness is about to end: its socket is already closed.
            Self.end(&state)
            return try Self.start(program, &state)
        }
    }

    private static func end(_ state: inout State) {
        state.lifeline = nil
        guard state.process > 0 else { return }
        kill(state.process, SIGKILL)
        while waitpid(state.process, nil, 0) < 0, errno == EINTR {}
        state.process = 0
    }

    private static func start(
        _ program: String,
        _ state: inout State
    ) throws(EvidenceError) -> WitnessAddress {
        let bound: (listener: WitnessListener, address: WitnessAddress)
        do throws(WitnessSocketError) { bound = try WitnessAddress.listenAnywhere() } catch {
            throw .refused(operation: "listen", code: error.code)
        }
        var ends: [Int32] = [-1, -1]
        guard witness_pipe(&ends) == 0 else { throw .refused(operation: "pipe", code: errno) }
        let far = Descriptor(opened: ends[0])
        let near = Descriptor(opened: ends[1])
        let words = [program, "--client", "\(geteuid())"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        let process = witness_spawn(program, &arguments, bound.listener.number, ends[0])
        let code = errno
        _ = consume far
        guard process > 0 else { throw .refused(operation: "start \(program)", code: code) }
        state.process = process
        state.lifeline = consume near
        state.address = bound.address
        return bound.address
    }
}
