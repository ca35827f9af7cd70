import KeychainMessages
import KeychainModel
import Secrets

extension SessionID: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(high)
        buffer.put(low)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(high: try reader.integer(), low: try reader.integer())
    }
}

extension ContextReference: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(session)
        buffer.put(forbidsInteraction)
        buffer.put(Self.nanoseconds(of: reuse))
        buffer.put(optional: reason)
        buffer.put(optional: fallbackTitle)
        buffer.put(optionalSecret: applicationPassword)
        buffer.put(isInvalidated)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            session: try reader.take(),
            forbidsInteraction: try reader.take(),
            reuse: try Self.duration(ofNanoseconds: reader.integer()),
            reason: try reader.takeOptional(),
            fallbackTitle: try reader.takeOptional(),
            applicationPassword: try reader.optionalSecret(),
            isInvalidated: try reader.take()
        )
    }

    private static let nanosecondsInSecond: UInt64 = 1_000_000_000

    /// Returns nanoseconds; a duration below zero becomes 0, and more than 292 years become 292
    /// years.
    private static func nanoseconds(of duration: Duration) -> UInt64 {
        guard duration > .zero else { return 0 }
        let whole = UInt64(duration.components.seconds)
            .multipliedReportingOverflow(by: nanosecondsInSecond)
        guard !whole.overflow, whole.partialValue < UInt64(Int64.max) - nanosecondsInSecond else {
            return UInt64(Int64.max)
        }
        return whole.partialValue
            + UInt64(duration.components.attoseconds) / nanosecondsInSecond
    }

    private static func duration(ofNanoseconds count: UInt64) throws(WireError) -> Duration {
        guard let count = Int64(exactly: count) else { throw .invalidValue("duration") }
        return .nanoseconds(count)
    }
}

extension AuthenticationTerms: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(interface)
        buffer.put(optional: reason)
        buffer.put(optional: context)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        interface = try reader.take()
        reason = try reader.takeOptional()
        context = try reader.takeOptional()
    }
}

extension Constraint: WireValue {
    private enum Kind: UInt8, WireKind {
        case factor = 1
        case any = 2
        case all = 3

        static var meaning: String { "kind of constraint" }
    }

    static var leastByteCount: Int { 2 }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .factor(let factor):
            buffer.put(kind: Kind.factor)
            buffer.put(factor)
        case .any(let parts): Self.write(parts, Kind.any, to: &buffer)
        case .all(let parts): Self.write(parts, Kind.all, to: &buffer)
        }
    }

    private static func write(_ parts: [Constraint], _ kind: Kind, to buffer: inout WireBuffer) {
        guard !parts.isEmpty else { return buffer.refuse(.invalidValue("constraint")) }
        buffer.put(kind: kind)
        guard buffer.descend() else { return }
        buffer.put(list: parts, WireLimit.parts)
        buffer.ascend()
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .factor: self = .factor(try reader.take())
        case .any: self = .any(try Self.parts(from: &reader))
        case .all: self = .all(try Self.parts(from: &reader))
        }
    }

    /// Reads at least one part, because a constraint without parts would be met without any proof.
    private static func parts(from reader: inout WireReader) throws(WireError) -> [Constraint] {
        try reader.descend()
        let parts = try reader.takeList(of: Constraint.self, WireLimit.parts)
        reader.ascend()
        guard !parts.isEmpty else { throw .invalidValue("constraint") }
        return parts
    }
}

extension AuthenticationRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case evaluate = 1
        case canEvaluate = 2
        case biometryStatus = 3
        case end = 4

        static var meaning: String { "request for authentication" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .evaluate(let constraint, let context):
            buffer.put(kind: Kind.evaluate)
            buffer.put(constraint)
            buffer.put(context)
        case .canEvaluate(let constraint, let context):
            buffer.put(kind: Kind.canEvaluate)
            buffer.put(constraint)
            buffer.put(context)
        case .biometryStatus: buffer.put(kind: Kind.biometryStatus)
        case .end(let session):
            buffer.put(kind: Kind.end)
            buffer.put(session)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .evaluate: self = .evaluate(try reader.take(), try reader.take())
        case .canEvaluate: self = .canEvaluate(try reader.take(), try reader.take())
        case .biometryStatus: self = .biometryStatus
        case .end: self = .end(try reader.take())
        }
    }
}

extension AuthenticationReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case done = 1
        case biometry = 2

        static var meaning: String { "reply about authentication" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .done: buffer.put(kind: Kind.done)
        case .biometry(let status):
            buffer.put(kind: Kind.biometry)
            buffer.put(status)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .done: self = .done
        case .biometry: self = .biometry(try reader.take())
        }
    }
}

extension BiometryStatus: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(kind)
        buffer.put(optional: enrolmentState)
        buffer.put(isLockedOut)
        buffer.put(optional: companionState)
        buffer.put(optional: combinedState)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            kind: try reader.take(),
            enrolmentState: try reader.takeOptional(),
            isLockedOut: try reader.take(),
            companionState: try reader.takeOptional(),
            combinedState: try reader.takeOptional()
        )
    }
}
