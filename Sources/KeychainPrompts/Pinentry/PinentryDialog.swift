// States   greeting ─OK▸ settings ─OK, ERR▸ … ─▸ question ─OK▸ entered
//                                                  │ ERR ▸ canceled, timed out, failed
//                                                  └ D   ▸ collect, and stay
// Law: a line that does not fit its state ends the dialog, and so do too many lines without an
// answer.

/// One dialog with a pinentry: the commands, in order, and the effect of each line of the server.
///
/// It is pure: it sees neither a process nor the typed bytes.
struct PinentryDialog: Sendable {
    /// The next step.
    enum Step: Sendable, Equatable {
        /// Send a command, and continue reading.
        case send(String)
        /// Keep the bytes of this line, and continue reading.
        case collect
        /// Continue reading.
        case wait
        case end(Outcome)
    }

    /// The result of the dialog.
    enum Outcome: Sendable, Equatable {
        /// The collected bytes are the answer.
        case entered
        case canceled
        /// The person did not answer in time.
        case timedOut
        /// The program cannot ask here, or violates the protocol.
        case failed
    }

    /// libgpg-error's numbers.
    private static let outcomes: [UInt32: Outcome] = [
        62: .timedOut, 99: .canceled, 114: .canceled, 198: .canceled,
    ]

    /// The largest number of lines without a result: comments, questions, parts of an answer.
    ///
    /// The longest answer fits five lines; an empty line adds no bytes to it.
    private static let idleLimit = 100

    private var settings: ArraySlice<String>
    private let question: String
    private var isAsking = false
    private var idleCount = 0

    /// Creates a dialog that sends settings, some of which the server may not know, and then asks.
    init(settings: [String], question: String = "GETPIN") {
        self.settings = settings[...]
        self.question = question
    }

    mutating func handle(_ reply: AssuanReply) -> Step {
        switch reply {
        case .done: isAsking ? .end(.entered) : next()
        case .failed(let code): isAsking ? .end(Self.outcome(code)) : next()
        case .data: isAsking ? idle(.collect) : .end(.failed)
        case .information: idle(.wait)
        case .inquiry: idle(.send("CAN"))
        case .malformed: .end(.failed)
        }
    }

    private mutating func next() -> Step {
        if let setting = settings.popFirst() { return .send(setting) }
        isAsking = true
        return .send(question)
    }

    private mutating func idle(_ step: Step) -> Step {
        idleCount += 1
        return idleCount > Self.idleLimit ? .end(.failed) : step
    }

    private static func outcome(_ code: UInt32) -> Outcome { outcomes[code & 0xFFFF] ?? .failed }
}
