/// One call of one thread: its arguments, its result, and its time.
struct OperationRecord: Sendable, Equatable {
    enum Kind: String, Sendable { case add, update, delete, read }

    let verb: Kind
    let key: Int
    /// The written or read value, "-" for none; each write has its own value.
    let value: String
    let status: Int32
    /// The start in nanoseconds of a clock that all processes of the machine share.
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

    /// Reads a line that `text` made.
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

    /// The record as a line without a line feed.
    var text: String { "op \(verb.rawValue) \(key) \(value) \(status) \(start) \(end)" }
}

extension OperationRecord {
    private static let success: Int32 = 0
    private static let duplicate: Int32 = -25299
    private static let notFound: Int32 = -25300
    private static let busy: Int32 = -25291
    /// The time in nanoseconds after which a write gives up waiting for other writers.
    private static let patience: UInt64 = 5_000_000_000

    /// Whether the call gave up after this time, as it may on a slow disk, and changed nothing.
    private var gaveUp: Bool {
        verb != .read && status == Self.busy && end - start >= Self.patience
    }

    /// Returns the key's value after the call, if it was `before` at the start of the call.
    ///
    /// - Returns: `.some(nil)` for no value; nil if the call cannot have had this result.
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
