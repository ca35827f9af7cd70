import KeychainEngine
import KeychainModel
import Secrets
import Synchronization

// Invariants   (1) An account has at most one engine in this process.
//              (2) Opening one account's keychain keeps no other account waiting.
//              (3) A keychain that could not be opened is tried again with the next call.
//              (4) A keychain is closed only while no call, prompt or agent has it, and never while
//                  a key is in memory that only the passcode opens, or a proof.

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
    }

    private let open: Opening
    private let places = AdaptiveMutex<[UInt32: Place]>([:])

    package init(_ open: @escaping Opening) { self.open = open }

    /// The keychain of an account.
    ///
    /// It stays open for as long as somebody has what this returns.
    /// - Throws: why it cannot be opened.
    package func keychain(of account: UInt32) throws(KeychainError) -> AccountKeychain {
        let place = place(of: account)
        if let known = use(place) { return known }
        return try inTurn(place) { () throws(KeychainError) in
            if let known = use(place) { return known }
            let made = try open(account)
            place.opened.withLock { $0 = Opened(keychain: made) }
            return made
        }
    }

    private func use(_ place: Place) -> AccountKeychain? {
        place.opened.withLock { opened in
            guard let keychain = opened.keychain else { return nil }
            opened.lastUse = .now
            return keychain
        }
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
            take(from: place, if: { _ in true })?.end()
            return try body()
        }
    }

    private func take(
        from place: Place,
        if condition: (inout Opened) -> Bool
    ) -> AccountKeychain? {
        place.opened.withLock { opened in
            guard condition(&opened) else { return nil }
            return opened.keychain.take()
        }
    }

    /// Ends every keychain, because the process ends.
    package func end() { for keychain in opened.values { keychain.end() } }
}

// Giving back what nobody uses.
extension AccountKeychains {
    /// Closes keychains that nobody uses, and lets others give back what only makes calls faster.
    ///
    /// - Parameters:
    ///   - restTime: How long a keychain is unused until it gives back its spare connections.
    ///   - closeTime: How long until it is closed.
    ///   - limit: How many stay open that could be closed; of more, those go that were unused for
    ///     the longest, after `restTime`.
    /// - Returns: Whether something is left that may be given back later.
    func giveBack(
        resting restTime: Duration,
        closing closeTime: Duration,
        above limit: Int
    ) -> Bool {
        let now = ContinuousClock.now
        var idle: [(place: Place, lastUse: ContinuousClock.Instant)] = []
        var isAnyOpen = false
        for place in places.withLock({ Array($0.values) }) {
            let (engine, lastUse) = place.opened.withLock { ($0.keychain?.engine, $0.lastUse) }
            guard let engine else { continue }
            isAnyOpen = true
            guard lastUse.advanced(by: restTime) <= now else { continue }
            // Twice what it takes to notice that it rested already costs nothing.
            if lastUse.advanced(by: restTime * 3) > now { engine.releaseMemory() }
            if engine.isClosable { idle.append((place, lastUse)) }
        }
        idle.sort { $0.lastUse < $1.lastUse }
        let surplus = max(0, idle.count - limit)
        for (index, entry) in idle.enumerated()
        where index < surplus || entry.lastUse.advanced(by: closeTime) <= now {
            close(entry.place, unusedSince: entry.lastUse)
        }
        forgetUnused()
        return isAnyOpen
    }

    private func close(_ place: Place, unusedSince lastUse: ContinuousClock.Instant) {
        _ = place.turn.withLockIfAvailable { _ in
            let taken = take(from: place) { opened in
                // Whoever works with it, or is about to, has taken a reference under this lock.
                opened.lastUse == lastUse && isKnownUniquelyReferenced(&opened.keychain)
                    && opened.keychain?.isClosable == true
            }
            taken?.end()
        }
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
