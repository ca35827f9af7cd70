import KeychainEngine
import KeychainModel
import Secrets
import Synchronization

// Invariants   (1) An account has at most one engine in this process.
//              (2) Opening one account's keychain keeps no other account waiting.
//              (3) A keychain that could not be opened is tried again with the next call.
//              (4) A keychain is closed only while no call, prompt or agent has it, and never while
//                  a key is in memory that only the passcode opens, or a proof.
//              (5) Whoever opens a keychain, or uses one that had given its pages back, is counted:
//                  what stays in memory depends on the limits, not on the number of accounts.

/// The keychains of a daemon, each opened when it is first asked for.
package final class AccountKeychains: MovableKeychains {
    /// Opens, or makes, the keychain of an account.
    package typealias Opening =
        @Sendable (_ account: UInt32) throws(KeychainError) -> AccountKeychain

    /// A place for one keychain.
    private final class Place: Sendable {
        /// Held while the keychain is opened, closed or moved.
        let turn = Mutex<Void>(())
        let opened = AdaptiveMutex(Opened())
    }

    private struct Opened {
        /// Whoever works with it has a reference of their own.
        var keychain: AccountKeychain?
        var lastUse = ContinuousClock.now
        /// Whether it may hold what only makes its calls faster.
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

    /// Keychains whose logs nobody keeps.
    package convenience init(_ open: @escaping Opening) {
        self.init(shelf: LogShelf(), warmed: {}, open)
    }

    /// - Parameters:
    ///   - limits: How much stays.
    ///   - shelf: Where logs of keychains wait that are closed.
    ///   - warmed: Hears of every keychain that was opened, or takes pages again.
    ///   - open: Opens one.
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

    /// How many are open, and how many of them may hold what only makes calls faster.
    var counts: (open: Int, warm: Int) {
        (openCount.load(ordering: .relaxed), warmCount.load(ordering: .relaxed))
    }

    /// The keychain of an account.
    ///
    /// It stays open for as long as somebody has what this returns.
    /// - Throws: why it cannot be opened.
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

    /// The log of an account whose keychain is open; nil for any other.
    func logOfOpen(_ account: UInt32) -> (any DecisionLog)? { opened[account]?.log }

    /// Their engines.
    package var engines: [UInt32: Engine] { opened.mapValues(\.engine) }

    /// Works while an account has no open keychain, as when its directory moves.
    ///
    /// Calls that arrive meanwhile wait. Keys are wiped before the body runs.
    /// - Throws: What the body throws.
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

    /// Ends a keychain that was taken from its place; it counts until its descriptors are closed.
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

// Giving back what nobody uses.
extension AccountKeychains {
    /// How much may stay, and for how long.
    package struct Limits: Sendable {
        /// How long a keychain is unused until it gives back its spare connections and pages.
        var restTime = Duration.seconds(5)
        /// How long until it is closed.
        var closeTime = Duration.seconds(60)
        /// How many keep their spare connections and pages until then.
        var warmCount = 64
        /// How many stay open until then that could be closed.
        var openCount = 192
        /// From so many on whoever opens one closes another first: descriptors are not endless.
        var mostCount = 288

        package init() {}

        /// Whether so many are worth a look before the time has come: a look is for several.
        ///
        /// - Parameters:
        ///   - counts: How many are open and warm now.
        ///   - stayed: How many were open after the last look, which could not be closed.
        /// - Returns: Whether it is worth one.
        func areExceeded(by counts: (open: Int, warm: Int), stayed: Int) -> Bool {
            counts.warm > warmCount + warmCount / 4
                || counts.open > max(openCount, stayed) + openCount / 8
        }
    }

    /// No reference to the keychain itself: it goes as soon as it is closed.
    private struct Use {
        let place: Place
        let last: ContinuousClock.Instant
    }

    /// Closes keychains that nobody uses, and lets others give back what only makes calls faster:
    /// those first that were unused for the longest.
    ///
    /// - Returns: Whether something is left that may be given back later.
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

    /// Closes the keychain that was unused for the longest; few at a time do so, because one that
    /// is being closed still has its descriptors.
    private func makeRoom(for account: UInt32) {
        closers[Int(account) % closers.count].turn.withLock { _ in
            guard counts.open >= limits.mostCount else { return }
            for use in uses() where close(use) { return }
        }
    }

    /// What is open, that first which was unused for the longest.
    private func uses() -> [Use] {
        places.withLock { Array($0.values) }.compactMap { place -> Use? in
            place.opened.withLock { opened in
                opened.keychain == nil ? nil : Use(place: place, last: opened.lastUse)
            }
        }
        .sorted { $0.last < $1.last }
    }

    /// Has it give back what only makes calls faster, unless somebody has used it since.
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

    /// Closes it, unless that is not possible, or somebody has used it since.
    private func close(_ use: Use) -> Bool {
        use.place.turn.withLockIfAvailable { _ in
            let taken = take(from: use.place) { opened in
                // Whoever works with it, or is about to, has taken a reference under this lock.
                opened.lastUse == use.last && isKnownUniquelyReferenced(&opened.keychain)
                    && opened.keychain?.isClosable == true
            }
            guard let taken else { return false }
            end(taken)
            return true
        } ?? false
    }

    /// Forgets the places of accounts of which nothing is open and nothing is being opened.
    private func forgetUnused() {
        places.withLock { places in
            for (account, place) in places {
                var place: Place? = place
                places[account] = nil
                // Whoever is about to open it has a reference.
                let isUnused =
                    isKnownUniquelyReferenced(&place)
                    && place?.opened.withLock { $0.keychain == nil } == true
                if !isUnused { places[account] = place }
            }
        }
    }
}
