import Cryptography
import KeychainModel

/// The processor time of one unlock on this machine, for which a new passcode is stretched.
///
/// - SeeAlso: Documentation/Spec/keybag.md §3, "Cost".
package enum UnlockTime {
    /// The variable with the time in milliseconds: 0 to 10000.
    package static let variable = "KEYCHAIN_UNLOCK_TIME"

    /// Half a second: short for a waiting user, long for an attacker who guesses.
    package static let standard = Duration.milliseconds(500)

    private static let limits = 0...10_000

    /// Returns a function that measures the cost of a guess at a new passcode, in a few seconds.
    ///
    /// The cost is at least `Argon2id.Cost.minimum`, however short the time is. With a time of 0 it
    /// is exactly that, and nothing is measured.
    ///
    /// - Throws: `errSecParam` for an invalid time.
    package static func stretchingCost(
        _ environment: ProcessEnvironment,
        memoryKiBLimit: UInt32 = Argon2id.calibratedMemoryKiBLimit
    ) throws(KeychainError) -> @Sendable () -> Argon2id.Cost {
        let time = try stated(environment) ?? standard
        return { cost(filling: time, memoryKiBLimit: memoryKiBLimit) }
    }

    /// Measures the cost of a guess on this machine.
    ///
    /// - Parameters:
    ///   - time: The time for one derivation.
    ///   - limit: The most memory to fill, in KiB; more passes make up for the rest.
    ///   - processorTime: Returns the processor time of this thread so far.
    /// - Returns: The cost that takes the time, or the minimum.
    package static func cost(
        filling time: Duration,
        memoryKiBLimit limit: UInt32 = Argon2id.calibratedMemoryKiBLimit,
        processorTime: () -> Duration = ThreadClock.now
    ) -> Argon2id.Cost {
        Argon2id.calibrated(target: time, memoryKiBLimit: limit, processorTime: processorTime)
    }

    private static func stated(
        _ environment: ProcessEnvironment
    ) throws(KeychainError) -> Duration? {
        guard let text = environment[variable], !text.isEmpty else { return nil }
        guard let number = Int(text), limits.contains(number) else {
            throw KeychainError(
                .param,
                "invalid value '\(text)' of \(variable): set the milliseconds, 0 to 10000"
            )
        }
        return .milliseconds(number)
    }
}
