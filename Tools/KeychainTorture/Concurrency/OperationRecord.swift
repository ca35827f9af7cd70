/// One call of one thread: what was asked, what came back, and when.
struct OperationRecord: Sendable, Equatable {
    enum Kind: String, Sendable { case add, update, delete, read }

    let verb: Kind
    let key: Int
    /// What was written or read, "-" for nothing; no two writes have the same.
    let value: String
    let status: Int32
    /// Nanoseconds of the machine's own clock, the same for all its processes.
    let start: UInt64
    let end: UInt64

    init(
        _ verb: Kind,
        key: Int,
        value: String,
        status: Int32,
        start: UInt64,
        end: UInt64
    ) {
        self.verb = verb
        self.key = key
        self.value = value
        self.status = status
        self.start = start
        self.end = end
    }

    /// Reads `text`.
    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 7, words[0] == "op", let verb = Kind(rawValue: String(words[1])),
            let key = Int(words[2]), let status = Int32(words[4]),
            let start = UInt64(words[5]), let end = UInt64(words[6])
        else { return nil }
        self.init(
            verb,
            key: key,
            value: String(words[3]),
            status: status,
            start: start,
            end: end
        )
    }

    /// The record as a line without its end.
    var text: String { "op \(verb.rawValue) \(key) \(value) \(status) \(start) \(end)" }
}

extension OperationRecord {
    private static let success: Int32 = 0
    private static let duplicate: Int32 = -25299
    private static let notFound: Int32 = -25300
    private static let busy: Int32 = -25291
    /// How long a write waits for other writers before it gives up, in nanoseconds.
    private static let patience: UInt64 = 5_000_000_000

    /// Whether the call waited as long as it may, and changed nothing: a slow disk can make it.
    private var gaveUp: Bool {
        verb != .read && status == Self.busy && end - start >= Self.patience
    }

    /// What the key holds after the call, where it held `before` when the call took effect.
    ///
    /// - Returns: `.some(nil)` for nothing; nil when the call cannot have answered so.
    func effect(on before: String?) -> String?? {
        if gaveUp { return .some(before) }
        return switch (verb, before, status) {
        case (.add, nil, Self.success): .some(value)
        case (.add, _?, Self.duplicate): .some(before)
        case (.update, _?, Self.success): .some(value)
        case (.update, nil, Self.notFound), (.delete, nil, Self.notFound): .some(nil)
        case (.delete, _?, Self.success): .some(nil)
        case (.read, nil, Self.notFound): .some(nil)
        case (.read, let held?, Self.success): held == value ? .some(held) : nil
        default: nil
        }
    }
}
