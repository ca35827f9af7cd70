import KeychainEngine
import KeychainModel
import Secrets
import Synchronization

// Invariants   (1) An account has at most one engine in this process.
//              (2) Opening one account's keychain keeps no other account waiting.
//              (3) A keychain that could not be opened is tried again with the next call.

/// The keychains of a daemon, each opened when it is first asked for.
package final class AccountKeychains: MovableKeychains {
    /// Opens, or makes, the keychain of an account.
    package typealias Opening =
        @Sendable (_ account: UInt32) throws(KeychainError) -> AccountKeychain

    /// A place for one keychain, whose lock is held while it is opened.
    private final class Place: Sendable {
        let keychain = Mutex<AccountKeychain?>(nil)
        /// The same, for those who do not wait.
        let opened = AdaptiveMutex<AccountKeychain?>(nil)
    }

    private let open: Opening
    private let places = AdaptiveMutex<[UInt32: Place]>([:])

    package init(_ open: @escaping Opening) { self.open = open }

    /// The keychain of an account.
    ///
    /// - Throws: why it cannot be opened.
    package func keychain(of account: UInt32) throws(KeychainError) -> AccountKeychain {
        let place = place(of: account)
        if let known = place.opened.withLock({ $0 }) { return known }
        return try place.keychain.withLock { keychain throws(KeychainError) in
            if let keychain { return keychain }
            let made = try open(account)
            keychain = made
            place.opened.withLock { $0 = made }
            return made
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

    /// The keychains that are open now, by account; waits for nothing.
    var opened: [UInt32: AccountKeychain] {
        places.withLock { $0 }.compactMapValues { place in place.opened.withLock { $0 } }
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
        return try place.keychain.withLock { keychain throws(KeychainError) in
            place.opened.withLock { $0 = nil }
            keychain?.end()
            keychain = nil
            return try body()
        }
    }

    /// Ends every keychain, because the process ends.
    package func end() { for keychain in opened.values { keychain.end() } }
}
