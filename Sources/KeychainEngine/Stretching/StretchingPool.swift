import Cryptography
import Glibc
import KeychainMessages
import KeychainModel

// Definitions  "place": the right to fill some memory with some threads; it ends with its
//              object. "person": the user ID that an account's stretching is charged to.
// Invariants   (1) The places in use never exceed the budget, in total or for one person.
//              (2) The next place is for the waiting person whose last place was the longest ago;
//                  for one person, to the earliest call. Later calls do not take the memory that
//                  the next one waits for.
//              (3) A waiting call holds no lock of an engine, and gives up when its client is gone.
//              (4) A cost beyond a multiple of what this device would choose gets no place.
//
// Source: Documentation/Spec/keybag.md §3, "Cost".

/// The place where passcodes and passwords are stretched, without a lock of an engine.
///
/// A daemon has one pool for all its keychains. A program with a keychain of its own has one
/// without a budget, which stretches at once on the calling thread.
package final class StretchingPool: Sendable {
    /// The pool of a program with a keychain of its own.
    package static let unlimited = StretchingPool(nil)

    /// The factor by which a file's cost may exceed the cost that this device would choose.
    package static let beliefFactor: UInt64 = 8

    private struct Ticket {
        let number: UInt64
        let person: UInt32
        let cost: Argon2id.Cost
    }

    private struct State {
        var taken: [UInt32: (memoryKiB: Int, threads: Int)] = [:]
        var memoryKiB = 0
        var threads = 0
        var waiting: [Ticket] = []
        var ticketCount: UInt64 = 0
        /// The ticket of each person's latest place, for persons who wait or work.
        var latest: [UInt32: UInt64] = [:]
    }

    private let budget: StretchingBudget?
    private let state = Monitor(State())
    private let usual = Monitor<Argon2id.Cost?>(nil)

    /// - Parameter budget: The limits; nil for none.
    package init(_ budget: StretchingBudget?) { self.budget = budget }

    /// The interval at which a waiting call checks whether its client is still there.
    private static let look = Duration.milliseconds(100)

    /// Waits for a place.
    ///
    /// - Throws: `errSecAllocate` if the cost exceeds a person's share, or if too many calls of the
    ///   person wait; `errSecUserCanceled` if the client is gone.
    package func place(
        _ cost: Argon2id.Cost,
        for person: UInt32
    ) throws(KeychainError) -> StretchingPlace {
        guard let budget else { return StretchingPlace(cost, person, nil) }
        guard cost.memoryKiB <= budget.memoryKiBPerPerson, cost.lanes <= 4 else {
            throw .tooCostly(cost.words, "\(budget.memoryKiBPerPerson >> 10) MiB, 4 lanes")
        }
        let ticket = try enqueue(cost, person, budget)
        let client = WaitingClient.look
        let isTaken = state.wait(
            lookingEvery: Self.look,
            while: { client?.isThere != false }
        ) { state in
            Self.take(ticket, from: &state, budget) ? true : nil
        }
        guard isTaken == true else {
            state.change { state in state.waiting.removeAll { $0.number == ticket.number } }
            throw KeychainError(.userCanceled, "the program did not wait for its turn")
        }
        return StretchingPlace(cost, person, self)
    }

    private func enqueue(
        _ cost: Argon2id.Cost,
        _ person: UInt32,
        _ budget: StretchingBudget
    ) throws(KeychainError) -> Ticket {
        try state.change { state throws(KeychainError) in
            let waiting = state.waiting.count { $0.person == person }
            guard waiting < budget.waitingPerPerson else {
                let reason =
                    "\(waiting) calls wait until a passcode or password was tried, which is the"
                    + " limit of \(budget.waitingPerPerson); try again"
                throw KeychainError(.allocate, reason)
            }
            state.ticketCount &+= 1
            let ticket = Ticket(number: state.ticketCount, person: person, cost: cost)
            state.waiting.append(ticket)
            return ticket
        }
    }

    /// Takes the place for a ticket, if it is the next one and there is room.
    private static func take(
        _ ticket: Ticket,
        from state: inout State,
        _ budget: StretchingBudget
    ) -> Bool {
        let mayHave = { (ticket: Ticket, state: State) in
            let own = state.taken[ticket.person] ?? (0, 0)
            let most = max(budget.threadsPerPerson, Int(ticket.cost.lanes))
            return own.memoryKiB + Int(ticket.cost.memoryKiB) <= budget.memoryKiBPerPerson
                && own.threads + Int(ticket.cost.lanes) <= most
        }
        let next = state.waiting.filter { mayHave($0, state) }.min { left, right in
            let (first, second) = (state.latest[left.person] ?? 0, state.latest[right.person] ?? 0)
            return first != second ? first < second : left.number < right.number
        }
        guard next?.number == ticket.number else { return false }
        let (memory, threads) = (Int(ticket.cost.memoryKiB), Int(ticket.cost.lanes))
        guard state.memoryKiB + memory <= budget.memoryKiB,
            state.threads == 0 || state.threads + threads <= budget.threads
        else { return false }
        state.waiting.removeAll { $0.number == ticket.number }
        state.memoryKiB += memory
        state.threads += threads
        state.taken[ticket.person, default: (0, 0)].memoryKiB += memory
        state.taken[ticket.person, default: (0, 0)].threads += threads
        state.ticketCount &+= 1
        state.latest[ticket.person] = state.ticketCount
        return true
    }

    fileprivate func leave(_ cost: Argon2id.Cost, _ person: UInt32) {
        state.change { state in
            state.memoryKiB -= Int(cost.memoryKiB)
            state.threads -= Int(cost.lanes)
            state.taken[person]?.memoryKiB -= Int(cost.memoryKiB)
            state.taken[person]?.threads -= Int(cost.lanes)
            if state.taken[person]?.threads == 0 { state.taken[person] = nil }
            let present = Set(state.taken.keys).union(state.waiting.map(\.person))
            state.latest = state.latest.filter { present.contains($0.key) }
        }
    }

    /// The number of waiting calls, for tests.
    var waitingCount: Int { state.look { $0.waiting.count } }
}

// The cost that a device would choose itself.
extension StretchingPool {
    /// The largest cost that a measurement uses.
    private static let trial = Argon2id.Cost(
        memoryKiB: Argon2id.calibratedMemoryKiBLimit,
        passes: 1,
        lanes: 1
    )

    /// Measures the cost of a new passcode or password.
    ///
    /// A daemon measures once, because the machine is the same for all accounts and measuring takes
    /// time.
    package func usualCost(
        for person: UInt32,
        _ measure: @escaping @Sendable () -> Argon2id.Cost
    ) throws(KeychainError) -> Argon2id.Cost {
        guard budget != nil else { return measure() }
        if let known = usual.look({ $0 }) { return known }
        let place = try place(Self.trial, for: person)
        // Another call may have measured while this one waited.
        if let known = usual.look({ $0 }) { return known }
        let found = place.work(measure)
        usual.change { $0 = found }
        return found
    }

    /// Accepts a plausible cost from a file, or refuses it.
    ///
    /// - Parameters:
    ///   - cost: The cost in the file.
    ///   - person: The user ID that is charged for a measurement.
    ///   - isBackup: Whether it is the cost of a backup, whose password takes four times as many
    ///     passes.
    ///   - measure: Measures the cost that the device would choose.
    /// - Throws: `errSecAllocate` with both costs; otherwise as `place(_:for:)`.
    package func believe(
        _ cost: Argon2id.Cost,
        for person: UInt32,
        isBackup: Bool = false,
        _ measure: @escaping @Sendable () -> Argon2id.Cost
    ) throws(KeychainError) {
        guard budget != nil else { return }
        // The device chooses at least the minimum, so most costs need no measurement.
        let floor = isBackup ? Argon2id.Cost.minimum.ofBackup : .minimum
        if cost.work <= floor.work * Self.beliefFactor { return }
        let chosen = try usualCost(for: person, measure)
        let most = (isBackup ? chosen.ofBackup : chosen).work * Self.beliefFactor
        guard cost.work > most else { return }
        let accepted = "\(most >> 10) MiB in all passes"
        throw .tooCostly("\(cost.work >> 10) MiB in all passes (\(cost.words))", accepted)
    }
}

/// The right to stretch; it ends with the object.
package final class StretchingPlace: Sendable {
    let cost: Argon2id.Cost
    private let person: UInt32
    private let pool: StretchingPool?

    fileprivate init(_ cost: Argon2id.Cost, _ person: UInt32, _ pool: StretchingPool?) {
        self.cost = cost
        self.person = person
        self.pool = pool
    }

    deinit { pool?.leave(cost, person) }

    /// Runs `body` on a thread of low priority; without a budget, on the calling thread.
    package func work<R: Sendable, E: Error>(
        _ body: @escaping @Sendable () throws(E) -> R
    ) throws(E) -> R {
        guard pool != nil else { return try body() }
        let result = Monitor<Result<R, E>?>(nil)
        let isStarted = NiceThread.start {
            let made: Result<R, E>
            do throws(E) { made = .success(try body()) } catch { made = .failure(error) }
            result.change { $0 = made }
        }
        guard isStarted, let made = result.wait(lookingEvery: .seconds(3600), { $0 }) else {
            return try body()
        }
        return try made.get()
    }
}

extension Argon2id.Cost {
    /// The memory of all passes together, in KiB; the time is proportional to it.
    var work: UInt64 { UInt64(memoryKiB) * UInt64(passes) }

    /// The cost in words, such as `256 MiB, 3 passes, 1 lane`.
    var words: String {
        "\(memoryKiB >> 10) MiB, \(passes) passes, \(lanes) \(lanes == 1 ? "lane" : "lanes")"
    }
}

extension KeychainError {
    fileprivate static func tooCostly(_ cost: String, _ accepted: String) -> KeychainError {
        KeychainError(
            .allocate,
            "a guess at this passcode or password costs \(cost), and this daemon accepts"
                + " \(accepted): raise KEYCHAIN_UNLOCK_TIME in the unit of keychaind, or set the"
                + " passcode again without a daemon and a lower KEYCHAIN_UNLOCK_TIME"
        )
    }
}
