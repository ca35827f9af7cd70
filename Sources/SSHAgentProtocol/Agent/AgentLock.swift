import Cryptography
import Secrets

// States   open ─lock▸ locked(n = 0) ─wrong▸ locked(n + 1, closed until …) ─right▸ open
// Law      Nothing of the passphrase is kept but what Argon2id made of it.

/// The agent's own lock.
struct AgentLock: Sendable {
    /// The bytes of a salt.
    static let saltByteCount = 16
    private static let firstDelay = Duration.milliseconds(100)
    private static let longestDelay = Duration.seconds(10)

    private let salt: [UInt8]
    private let cost: Argon2id.Cost
    private let stretched: SharedSecret
    private var failures = 0
    /// When the next attempt may be made.
    private var closedUntil = Duration.zero

    /// Locks.
    ///
    /// - Throws: `backend` when there is not enough memory.
    init(
        _ passphrase: borrowing Secret,
        salt: [UInt8],
        cost: Argon2id.Cost
    ) throws(CryptographyError) {
        self.salt = salt
        self.cost = cost
        stretched = SharedSecret(try Argon2id.stretch(passphrase, salt: salt, cost: cost))
    }

    /// What an attempt came to.
    enum Attempt: Sendable {
        case right
        /// How long whoever tried has to wait for the answer.
        case wrong(Duration)
    }

    /// Compares a passphrase; before its time an attempt is not even compared.
    mutating func attempt(_ passphrase: borrowing Secret, at uptime: Duration) -> Attempt {
        guard uptime >= closedUntil else { return .wrong(closedUntil - uptime) }
        guard let stretched = try? Argon2id.stretch(passphrase, salt: salt, cost: cost) else {
            return .wrong(Self.firstDelay)
        }
        guard !stretched.constantTimeEquals(self.stretched.secret) else { return .right }
        let delay = min(Self.firstDelay * (1 << min(failures, 10)), Self.longestDelay)
        failures += 1
        closedUntil = uptime + delay
        return .wrong(delay)
    }
}
