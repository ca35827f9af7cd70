import CallerEvidence
import Glibc
import KeychainSockets
import Synchronization

@_implementationOnly import CWitness

/// A source that asks the witness, the only process that may examine programs of other accounts.
///
/// Every question has a separate connection. So no question waits for another, and an unanswered
/// one leaves nothing behind.
package final class WitnessEvidenceSource: EvidenceSource {
    private let address: Mutex<WitnessAddress>
    package let clientGroup: UInt32?
    /// The child process to restart; nil if systemd starts the witness.
    private let child: WitnessChild?
    private let digests = ExecutableDigests()

    /// The time after which an unanswered question means that the witness is gone, in seconds.
    static let timeLimit: UInt32 = 3

    private init(_ address: WitnessAddress, _ clientGroup: UInt32?, _ child: WitnessChild?) {
        self.address = Mutex(address)
        self.clientGroup = clientGroup
        self.child = child
    }

    /// Uses a witness that another program starts.
    ///
    /// - Returns: The source; nil if the path is too long for a socket.
    package static func connect(
        path: String,
        clientGroup: UInt32? = ClientGroup.number
    ) -> WitnessEvidenceSource? {
        WitnessAddress(path: path).map { WitnessEvidenceSource($0, clientGroup, nil) }
    }

    /// Starts a witness as a child process, and restarts it if it ends.
    ///
    /// The witness ends with this process. It needs `CAP_SYS_PTRACE`, so only root can start one.
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
        // The witness was killed during the question. systemd or this process starts another one.
        let fresh = try child?.restart(after: known) ?? known
        address.withLock { $0 = fresh }
        guard let found = try answer(about: peer, process, at: fresh) else { throw .unanswered }
        return found
    }

    /// Asks once.
    ///
    /// - Returns: The evidence; nil if no witness listens there, or if it ended.
    /// - Throws: `EvidenceError`; `unanswered` if it takes too long.
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
        /// The descriptor that keeps the witness running; it closes with this process.
        var lifeline: Descriptor?
    }

    private let program: String
    private let state = Mutex(State())

    init(program: String) { self.program = program }

    /// Ends the witness and reads its exit status, so that no zombie process remains.
    deinit {
        state.withLock { Self.end(&$0) }
    }

    /// Starts the witness.
    ///
    /// - Throws: `EvidenceError.refused` with the operation.
    func start() throws(EvidenceError) -> WitnessAddress {
        try state.withLock { state throws(EvidenceError) in try Self.start(program, &state) }
    }

    /// Restarts the witness because nothing listens at an address any longer.
    ///
    /// Several threads may have noticed that.
    func restart(after refused: WitnessAddress) throws(EvidenceError) -> WitnessAddress {
        try state.withLock { state throws(EvidenceError) in
            if let known = state.address, known != refused { return known }
            // Its socket is closed already, so it is about to end.
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
