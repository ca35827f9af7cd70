import KeychainModel

extension KeychainError: WireValue {
    /// The kinds of causes of an error that have a meaning in another process.
    ///
    /// Challenges travel as messages, and a daemon itself repeats a call if that resolves the
    /// error.
    private enum CauseKind: UInt8, WireKind {
        case none = 0
        case failure = 1
        case damagedStore = 2

        static var meaning: String { "cause of an error" }
    }

    static var leastByteCount: Int { 9 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(status.rawValue)
        buffer.put(reason)
        switch cause {
        case .failure(let failure):
            buffer.put(kind: CauseKind.failure)
            buffer.put(Int32(truncatingIfNeeded: failure.rawValue))
        case .damagedStore(let damage):
            buffer.put(kind: CauseKind.damagedStore)
            buffer.put(damage)
        case .challenge, .otherKeys, .surroundings, .stretching, nil:
            buffer.put(kind: CauseKind.none)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            SecurityStatus(rawValue: try reader.integer()),
            try reader.take(),
            cause: try Self.cause(from: &reader)
        )
    }

    private static func cause(from reader: inout WireReader) throws(WireError) -> Cause? {
        switch try reader.kind(CauseKind.self) {
        case .none: return nil
        case .failure:
            let number = Int(try reader.integer(Int32.self))
            guard let failure = AuthenticationFailure(rawValue: number) else {
                throw .unknownValue("failure of an authentication")
            }
            return .failure(failure)
        case .damagedStore: return .damagedStore(try reader.take())
        }
    }
}

extension Finding: WireValue {
    static var leastByteCount: Int { 18 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(rule)
        buffer.put(verb)
        buffer.put(item)
        buffer.put(sentence)
        buffer.put(status)
        buffer.put(optional: otherProfile)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            rule: try reader.take(),
            verb: try reader.take(),
            item: try reader.take(),
            sentence: try reader.take(),
            status: try reader.integer(),
            otherProfile: try reader.takeOptional()
        )
    }
}
