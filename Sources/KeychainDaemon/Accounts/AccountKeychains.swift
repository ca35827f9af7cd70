import KeychainEngine
import KeychainModel
import Secrets
import Synchronization

// Invariants   (1) An account has at most one engine in this process.
//              (2) Opening one account's keychain does not make another account wait.
//              (3) A keychain that could not be opened is tried again with the next call.
//              (4) A keychain is closed only while no call, prompt or agent uses it, and never
//                  while a proof, or a key that only the passcode opens, is in memory.
//              (5) Every keychain that is opened, or that takes pages again, is counted: the memory
//                  in use depends on the limits, not on the number of accounts.

/// The keychains of a daemon, each opened when it is first requested.
package final class AccountKeychains: MovableKeychains {
    /// A function that opens or creates the keychain of an account.
    package typealias Opening =
        @Sendable (_ account: UInt32) throws(KeychainError) -> AccountKeychain

    /// The place of one keychain.
    private final class Place: Sendable {
        /// Held while the keychain is opened, closed or moved.
        let turn = Mutex<Void>(())
        let opened = AdaptiveMutex(Opened())
    }

    private struct Opened {
        /// The keychain; each user of it holds a reference of its own.
        var keychain: AccountKeychain?
        var lastUse = ContinuousClock.now
        /// Whether it may have caches that only make calls faster.
        var isWarm = true
    }

    let limits: Limits
    private let shelf: LogShelf
    private let open: Opening
    private let warmed: @Sendable () -> Void
    private let places = AdaptiveMutex<[UInt32: Place]>([:])
    private let closers = (0..<4).map { _ in Place() }
    private let openCount = Atomic(0)
    private let warmCount = Atomic(0)

    /// Creates keychains without a keeper of logs.
    package convenience init(_ open: @escaping Opening) {
        self.init(shelf: LogShelf(), warmed: {}, open)
    }

    /// - Parameters:
    ///   - limits: The limits of what stays open.
    ///   - shelf: The place for logs of closed keychains.
    ///   - warmed: Called for every keychain that was opened, or that takes pages again.
    ///   - open: Opens a keychain.
    init(
        _ limits: Limits = Limits(),
        shelf: LogShelf,
        warmed: @escaping @Sendable () -> Void,
        _ open: @escaping Opening
    ) {
        self.limits = limits
        self.shelf = shelf
        self.warmed = warmed
        self.open = open
    }

    /// The number of open keychains, and of those that may have caches.
    var counts: (open: Int, warm: Int) {
        (openCount.load(ordering: .relaxed), warmCount.load(ordering: .relaxed))
    }

    /// Returns the keychain of an account.
    ///
    /// It stays open as long as the caller holds the result.
    /// - Throws: The error that prevents opening it.
    package func keychain(of account: UInt32) throws(KeychainError) -> AccountKeychain {
        let place = place(of: account)
        if let known = use(place) { return known }
        return try inTurn(place) { () throws(KeychainError) in
            if let known = use(place) { return known }
            if counts.open >= limits.mostCount { makeRoom(for: account) }
            let made = try open(account)
            place.opened.withLock { $0 = Opened(keychain: made) }
            openCount.wrappingAdd(1, ordering: .relaxed)
            warmCount.wrappingAdd(1, ordering: .relaxed)
            warmed()
            return made
        }
    }

    private func use(_ place: Place) -> AccountKeychain? {
        var isWarmed = false
        let found: AccountKeychain? = place.opened.withLock { opened in
            guard let keychain = opened.keychain else { return nil }
            opened.lastUse = .now
            isWarmed = !opened.isWarm
            opened.isWarm = true
            return keychain
        }
        if isWarmed {
            warmCount.wrappingAdd(1, ordering: .relaxed)
            warmed()
        }
        return found
    }

    package func engine(of account: UInt32) throws(KeychainError) -> Engine {
        try keychain(of: account).engine
    }

    private func place(of account: UInt32) -> Place {
        places.withLock { places in
            if let known = places[account] { return known }
            let made = Place()
            places[account] = made
            return made
        }
    }

    private func inTurn<R>(
        _ place: Place,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        let result: Result<R, KeychainError> = place.turn.withLock { _ in
            do throws(KeychainError) { return .success(try body()) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The keychains that are open now, by account; waits for nothing.
    var opened: [UInt32: AccountKeychain] {
        places.withLock { $0 }.compactMapValues { place in place.opened.withLock { $0.keychain } }
    }

    /// Returns the log of an account whose keychain is open; nil for any other.
    func logOfOpen(_ account: UInt32) -> (any DecisionLog)? { opened[account]?.log }

    /// The engines of the open keychains.
    package var engines: [UInt32: Engine] { opened.mapValues(\.engine) }

    /// Runs `body` while an account has no open keychain, for example while its directory moves.
    ///
    /// Calls that arrive meanwhile wait. Keys are wiped before `body` runs.
    /// - Throws: The error of `body`.
    package func whileClosed<R>(
        _ account: UInt32,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        let place = place(of: account)
        return try inTurn(place) { () throws(KeychainError) in
            if let taken = take(from: place, if: { _ in true }) { end(taken) }
            shelf.close(account)
            return try body()
        }
    }

    private func take(
        from place: Place,
        if condition: (inout Opened) -> Bool
    ) -> AccountKeychain? {
        place.opened.withLock { opened in
            guard condition(&opened), let taken = opened.keychain.take() else { return nil }
            if opened.isWarm { warmCount.wrappingSubtract(1, ordering: .relaxed) }
            return taken
        }
    }

    /// Ends a keychain that was removed from its place; it counts until its descriptors are closed.
    private func end(_ taken: consuming AccountKeychain) {
        taken.end(leavingLogOn: shelf)
        _ = consume taken
        openCount.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Ends every keychain, because the process ends.
    package func end() {
        for keychain in opened.values { keychain.end() }
        shelf.end()
    }
}

// Releasing unused keychains and memory.
extension AccountKeychains {
    /// The limits of what stays in memory, and for how long.
    package struct Limits: Sendable {
        /// The time without use after which a keychain releases its spare connections and pages.
        var restTime = Duration.seconds(5)
        /// The time without use after which it is closed.
        var closeTime = Duration.seconds(60)
        /// The number of keychains that keep their spare connections and pages until then.
        var warmCount = 64
        /// The number of closable keychains that stay open until then.
        var openCount = 192
        /// The number from which opening one closes another first, because descriptors are limited.
        var mostCount = 288

        package init() {}

        /// Whether the numbers justify releasing before its time, which is then done for several.
        ///
        /// - Parameters:
        ///   - counts: The numbers of open and warm keychains.
        ///   - stayed: The number that stayed open last time, because they could not be closed.
        /// - Returns: Whether to release now.
        func areExceeded(by counts: (open: Int, warm: Int), stayed: Int) -> Bool {
            counts.warm > warmCount + warmCount / 4
                || counts.open > max(openCount, stayed) + openCount / 8
        }
    }

    /// The use of a place, without a reference to the keychain, so that it can be closed.
    private struct Use {
        let place: Place
        let last: ContinuousClock.Instant
    }

    /// Closes unused keychains and releases caches of others, starting with the longest unused.
    ///
    /// - Returns: Whether anything is left to release later.
    func giveBack() -> Bool {
        let now = ContinuousClock.now
        let uses = uses()
        for (index, use) in uses.enumerated() {
            let isSurplus = counts.open > limits.openCount
            if isSurplus || use.last.advanced(by: limits.closeTime) <= now, close(use) { continue }
            if uses.count - index > limits.warmCount
                || use.last.advanced(by: limits.restTime) <= now
            {
                cool(use)
            }
        }
        forgetUnused()
        shelf.giveBack()
        return !uses.isEmpty || !shelf.isEmpty
    }

    /// Closes the keychain that was unused for the longest time.
    ///
    /// Few threads do so at a time, because a keychain that is being closed still has its
    /// descriptors.
    private func makeRoom(for account: UInt32) {
        closers[Int(account) % closers.count].turn.withLock { _ in
            guard counts.open >= limits.mostCount else { return }
            for use in uses() where close(use) { return }
        }
    }

    /// Returns the open keychains, the longest unused first.
    private func uses() -> [Use] {
        places.withLock { Array($0.values) }.compactMap { place -> Use? in
            place.opened.withLock { opened in
                opened.keychain == nil ? nil : Use(place: place, last: opened.lastUse)
            }
        }
        .sorted { $0.last < $1.last }
    }

    /// Makes a keychain release its caches, unless it was used meanwhile.
    private func cool(_ use: Use) {
        let engine: Engine? = use.place.opened.withLock { opened in
            guard opened.isWarm, opened.lastUse == use.last, let keychain = opened.keychain else {
                return nil
            }
            opened.isWarm = false
            warmCount.wrappingSubtract(1, ordering: .relaxed)
            return keychain.engine
        }
        engine?.releaseMemory()
    }

    /// Closes a keychain, unless that is not possible or it was used meanwhile.
    private func close(_ use: Use) -> Bool {
        use.place.turn.withLockIfAvailable { _ in
            let taken = take(from: use.place) { opened in
                // Each user of the keychain, or future user, has taken a reference under this lock.
                opened.lastUse == use.last && isKnownUniquelyReferenced(&opened.keychain)
                    && opened.keychain?.isClosable == true
            }
            guard let taken else { return false }
            end(taken)
            return true
        } ?? false
    }

    /// Forgets the places of accounts whose keychain is neither open nor being opened.
    private func forgetUnused() {
        places.withLock { places in
            for (account, place) in places {
                var place: Place? = place
                places[account] = nil
                // A thread that is about to open it has a reference.
                let isUnused =
                    isKnownUniquelyReferenced(&place)
                    && place?.opened.withLock { $0.keychain == nil } == true
                if !isUnused { places[account] = place }
            }
        }
    }
}
