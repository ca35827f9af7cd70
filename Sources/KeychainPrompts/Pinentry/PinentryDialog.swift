// States   greeting ─OK▸ settings ─OK, ERR▸ … ─▸ question ─OK▸ entered
//                                                  │ ERR ▸ canceled, timed out, failed
//                                                  └ D   ▸ collect, and stay
// Law: a line that does not fit its state ends the dialog; so does a server that only talks.

/// One dialog with a pinentry: the commands, in order, and what each line of the server leads to.
///
/// Pure: it sees neither a process nor what was typed.
struct PinentryDialog: Sendable {
    /// What to do next.
    enum Step: Sendable, Equatable {
        /// Send a command, and read on.
        case send(String)
        /// Keep the bytes of this line, and read on.
        case collect
        /// Read on.
        case wait
        case end(Outcome)
    }

    /// How it ended.
    enum Outcome: Sendable, Equatable {
        /// What was collected is the answer.
        case entered
        case canceled
        /// Nobody answered.
        case timedOut
        /// The program cannot ask here, or does not keep to the protocol.
        case failed
    }

    /// libgpg-error's numbers.
    private static let outcomes: [UInt32: Outcome] = [
        62: .timedOut, 99: .canceled, 114: .canceled, 198: .canceled,
    ]

    /// How many lines a server may send that end nothing: remarks, questions, parts of an answer.
    ///
    /// An answer of the most bytes there may be fits five lines; an empty line adds nothing to it.
    private static let idleLimit = 100

    private var settings: ArraySlice<String>
    private let question: String
    private var isAsking = false
    private var idleCount = 0

    /// A dialog that sends settings, of which the server need not know every one, then asks.
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
