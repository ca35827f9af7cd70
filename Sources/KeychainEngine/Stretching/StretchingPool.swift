import Cryptography
import Glibc
import KeychainMessages
import KeychainModel

// Definitions  "place": the right to fill so much memory with so many threads; it ends with its
//              object. "person": whoever answers for an account, by number.
// Invariants   (1) The places that are taken never add up to more than the budget, in all and for
//                  each person.
//              (2) Of those that wait, the person goes next who got a place the longest ago; of one
//                  person, whoever came first. Nobody behind takes the memory that it waits for.
//              (3) Whoever waits holds no lock of an engine, and stops when its client is gone.
//              (4) What costs more than this device would choose, times a factor, gets no place.
//
// Source: Documentation/Spec/keybag.md §3, "Cost".

/// Where passcodes and passwords are stretched, with no lock of an engine held.
///
/// A daemon has one for all its keychains. A program with a keychain of its own has one without a
/// budget, which stretches at once, on the thread that asks.
package final class StretchingPool: Sendable {
    /// For a program whose keychain is its own.
    package static let unlimited = StretchingPool(nil)

    /// How many times the cost that this device would choose a file may name.
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
        /// When each person who waits or works got a place last, by ticket.
        var latest: [UInt32: UInt64] = [:]
    }

    private let budget: StretchingBudget?
    private let state = Monitor(State())
    private let usual = Monitor<Argon2id.Cost?>(nil)

    /// - Parameter budget: What may go on at a time; nil for whatever is asked for.
    package init(_ budget: StretchingBudget?) { self.budget = budget }

    /// How long it may take until somebody who waits in vain is noticed.
    private static let look = Duration.milliseconds(100)

    /// Waits for a place.
    ///
    /// - Throws: `errSecAllocate` for more than a person may have, or if too many calls of the
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

    /// Takes the place of a ticket, if it is the next one and there is room.
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

    /// How many calls wait, for tests.
    var waitingCount: Int { state.look { $0.waiting.count } }
}

// What a device would choose itself.
extension StretchingPool {
    /// The most that the measurement of a cost takes.
    private static let trial = Argon2id.Cost(
        memoryKiB: Argon2id.calibratedMemoryKiBLimit,
        passes: 1,
        lanes: 1
    )

    /// Measures the cost of a new passcode or password.
    ///
    /// A daemon measures once: it is the same machine for all, and measuring is work, too.
    package func usualCost(
        for person: UInt32,
        _ measure: @escaping @Sendable () -> Argon2id.Cost
    ) throws(KeychainError) -> Argon2id.Cost {
        guard budget != nil else { return measure() }
        if let known = usual.look({ $0 }) { return known }
        let place = try place(Self.trial, for: person)
        // Somebody else may have measured while this call waited.
        if let known = usual.look({ $0 }) { return known }
        let found = place.work(measure)
        usual.change { $0 = found }
        return found
    }

    /// Believes a cost that a file names, or refuses it.
    ///
    /// - Parameters:
    ///   - cost: The cost of the file.
    ///   - person: Who answers for the account.
    ///   - isBackup: Whether it is of a backup, whose password costs four times as many passes.
    ///   - measure: Measures what the device would choose.
    /// - Throws: `errSecAllocate` with both numbers; as `place(_:for:)`.
    package func believe(
        _ cost: Argon2id.Cost,
        for person: UInt32,
        isBackup: Bool = false,
        _ measure: @escaping @Sendable () -> Argon2id.Cost
    ) throws(KeychainError) {
        guard budget != nil else { return }
        // The device chooses at least the minimum, so that most costs need no measurement.
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

    /// Works on a thread that lets those go first who answer; at once where there is no budget.
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
    /// The memory of all passes together, in KiB: what the time is proportional to.
    var work: UInt64 { UInt64(memoryKiB) * UInt64(passes) }

    /// `256 MiB, 3 passes, 1 lane`.
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
