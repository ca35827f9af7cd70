import Cryptography
import Secrets

// States   open ─lock▸ locked(n = 0) ─wrong▸ locked(n + 1, closed until …) ─right▸ open
// Law      Only the result of Argon2id is kept, not the passphrase.

/// The agent's lock, which a passphrase opens.
struct AgentLock: Sendable {
    /// The size of a salt, in bytes.
    static let saltByteCount = 16
    private static let firstDelay = Duration.milliseconds(100)
    private static let longestDelay = Duration.seconds(10)

    private let salt: [UInt8]
    private let cost: Argon2id.Cost
    private let stretched: SharedSecret
    private var failures = 0
    /// The uptime before which no attempt is accepted.
    private var closedUntil = Duration.zero

    /// Locks the agent.
    ///
    /// - Throws: `backend` if there is not enough memory.
    init(
        _ passphrase: borrowing Secret,
        salt: [UInt8],
        cost: Argon2id.Cost
    ) throws(CryptographyError) {
        self.salt = salt
        self.cost = cost
        stretched = SharedSecret(try Argon2id.stretch(passphrase, salt: salt, cost: cost))
    }

    /// The result of an attempt.
    enum Attempt: Sendable {
        case right
        /// The passphrase is wrong; the reply has to wait for this time.
        case wrong(Duration)
    }

    /// Compares a passphrase; refuses an attempt before its time without comparing.
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
