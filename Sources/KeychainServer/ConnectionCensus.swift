import Glibc
import KeychainSockets
import Secrets

// Definitions  "person": the user ID that an account's resources are charged to: its own, or
//              that of the owner of its range of subordinate IDs.
// Invariants   (1) All persons together never exceed the total limits.
//              (2) No person holds more than half of the rest, so that a later one always finds
//                  some.

/// A count of connections, and of the memory of requests and replies, by person.
final class ConnectionCensus: Sendable {
    private struct Person {
        var connectionCount = 0
        var requestByteCount = 0
        var replyByteCount = 0
        /// The turn of calls whose request or reply may be large: one at a time.
        let turn = LargeCallTurn()
        /// The turn of large requests that arrive.
        ///
        /// It is a separate one: otherwise a request that waits here for memory would block the
        /// call that holds the memory.
        let arrivals = LargeCallTurn()
        let slots: CallSlots
        /// The turns of programs that greet.
        ///
        /// They are separate ones: otherwise a program that greets in order to lock would wait
        /// behind calls that hold the keychain for long.
        let greetings: CallSlots
    }

    private struct State {
        var persons: [UInt32: Person] = [:]
        var connectionCount = 0
        var requestByteCount = 0
        var replyByteCount = 0
    }

    private let limits: ServerLimits
    private let state = AdaptiveMutex(State())

    init(_ limits: ServerLimits) { self.limits = limits }

    private func newPerson() -> Person {
        Person(
            slots: CallSlots(limits.callsPerPerson),
            greetings: CallSlots(limits.callsPerPerson)
        )
    }

    /// The limit that a connection exceeds.
    enum Refusal { case person, server }

    /// Counts a connection.
    ///
    /// - Returns: The limit that it exceeds; nil if it is counted.
    func enter(_ person: UInt32) -> Refusal? {
        state.withLock { state in
            let count = state.persons[person]?.connectionCount ?? 0
            guard count < limits.connectionsPerPerson else { return .person }
            guard state.connectionCount < limits.connections else { return .server }
            state.persons[person, default: newPerson()].connectionCount += 1
            state.connectionCount += 1
            return nil
        }
    }

    func leave(_ person: UInt32) {
        state.withLock { state in
            state.connectionCount -= 1
            state.persons[person]?.connectionCount -= 1
            Self.forget(person, in: &state)
        }
    }

    /// Forgets a person without connections and reserved memory.
    private static func forget(_ person: UInt32, in state: inout State) {
        guard let known = state.persons[person], known.connectionCount == 0,
            known.requestByteCount == 0, known.replyByteCount == 0
        else { return }
        state.persons[person] = nil
    }

    /// Returns the person with the most connections, and their number.
    ///
    /// It returns nil unless that is at least two more than `person` has.
    func greediest(against person: UInt32?) -> (person: UInt32, count: Int)? {
        state.withLock { state in
            let own = person.flatMap { state.persons[$0]?.connectionCount } ?? 0
            let greediest = state.persons.max { left, right in
                left.value.connectionCount < right.value.connectionCount
            }
            guard let greediest, greediest.value.connectionCount > own + 1 else { return nil }
            return (greediest.key, greediest.value.connectionCount)
        }
    }

    /// Returns the number of a person's connections.
    func count(of person: UInt32) -> Int {
        state.withLock { $0.persons[person]?.connectionCount ?? 0 }
    }

    /// Reserves memory for a request.
    ///
    /// - Returns: The bytes to release later; nil if the person, or all together, hold too much.
    func reserve(_ byteCount: Int, for person: UInt32) -> Int? {
        guard byteCount > limits.smallRequestByteCount else { return 0 }
        return state.withLock { state in
            let held = state.persons[person]?.requestByteCount ?? 0
            let others = state.requestByteCount - held
            guard byteCount <= limits.requestByteCount - held,
                held + byteCount <= (limits.requestByteCountInAll - others) / 2
            else { return nil }
            state.persons[person, default: newPerson()].requestByteCount += byteCount
            state.requestByteCount += byteCount
            return byteCount
        }
    }

    /// Reserves memory for a large request, and waits a limited time until there is enough.
    ///
    /// Only one thread of a person does this, because it has the turn for large requests.
    func reserveSoon(_ byteCount: Int, for person: UInt32) -> Int? {
        let deadline = Deadline.after(milliseconds: limits.messageMilliseconds)
        while true {
            if let share = reserve(byteCount, for: person) { return share }
            guard deadline.pollMilliseconds != 0 else { return nil }
            poll(nil, 0, Self.pauseMilliseconds)
        }
    }

    private static let pauseMilliseconds: Int32 = 10

    func release(_ byteCount: Int, for person: UInt32) {
        guard byteCount > 0 else { return }
        state.withLock { state in
            state.requestByteCount -= byteCount
            state.persons[person]?.requestByteCount -= byteCount
            Self.forget(person, in: &state)
        }
    }

    /// Reserves memory for a reply until it is read.
    ///
    /// - Returns: The bytes to release later; nil if replies of the person, or of all, hold too
    ///   much.
    func reserveReply(_ byteCount: Int, for person: UInt32) -> Int? {
        guard byteCount > limits.smallReplyByteCount else { return 0 }
        return state.withLock { state in
            let held = state.persons[person]?.replyByteCount ?? 0
            let others = state.replyByteCount - held
            guard held == 0 || byteCount <= limits.replyByteCount - held,
                state.replyByteCount == 0
                    || held + byteCount <= (limits.replyByteCountInAll - others) / 2
            else { return nil }
            state.persons[person, default: newPerson()].replyByteCount += byteCount
            state.replyByteCount += byteCount
            return byteCount
        }
    }

    func releaseReply(_ byteCount: Int, for person: UInt32) {
        guard byteCount > 0 else { return }
        state.withLock { state in
            state.replyByteCount -= byteCount
            state.persons[person]?.replyByteCount -= byteCount
            Self.forget(person, in: &state)
        }
    }

    /// Returns the slots of a person.
    func slots(of person: UInt32) -> CallSlots? {
        state.withLock { $0.persons[person]?.slots }
    }

    /// Returns the turns of a person's programs that greet.
    func greetings(of person: UInt32) -> CallSlots? {
        state.withLock { $0.persons[person]?.greetings }
    }

    /// Returns the turn of a person for large requests that arrive.
    func arrivals(of person: UInt32) -> LargeCallTurn? {
        state.withLock { $0.persons[person]?.arrivals }
    }

    /// Returns the turn of a person for calls whose request or reply may be large.
    func turn(of person: UInt32) -> LargeCallTurn? {
        state.withLock { $0.persons[person]?.turn }
    }

    var connectionCount: Int { state.withLock { $0.connectionCount } }
}

/// A turn that lets only one operation of a person at a time take much memory.
///
/// It is a large request that arrives, a call with one, or a call whose reply may be large.
final class LargeCallTurn: Sendable {
    private let slots = CallSlots(1)

    func enter() { slots.enter() }

    func leave() { slots.leave() }

    /// Runs `body` while no other call of the person does.
    func take<R, E>(_ body: () throws(E) -> R) throws(E) -> R { try slots.work(body) }
}
