import Cryptography
import KeychainModel

/// How much processor time one unlocking may take on this machine, which a new passcode is
/// stretched for.
///
/// - SeeAlso: Documentation/Spec/keybag.md §3, "Cost".
package enum UnlockTime {
    /// States the time in milliseconds: 0 to 10000.
    package static let variable = "KEYCHAIN_UNLOCK_TIME"

    /// Half a second: short for the person who waits, long for whoever guesses.
    package static let standard = Duration.milliseconds(500)

    private static let limits = 0...10_000

    /// What a guess at a new passcode is to cost: measured when asked for, in some seconds.
    ///
    /// However little time is stated, the cost is at least `Argon2id.Cost.minimum`. With a time of
    /// 0 it is that, and nothing is measured.
    ///
    /// - Throws: `errSecParam`, for a time that is none.
    package static func stretchingCost(
        _ environment: ProcessEnvironment,
        memoryKiBLimit: UInt32 = Argon2id.calibratedMemoryKiBLimit
    ) throws(KeychainError) -> @Sendable () -> Argon2id.Cost {
        let time = try stated(environment) ?? standard
        return { cost(filling: time, memoryKiBLimit: memoryKiBLimit) }
    }

    /// Measures what a guess is to cost on this machine.
    ///
    /// - Parameters:
    ///   - time: How long one derivation may take.
    ///   - limit: The most memory that it may fill, in KiB; passes make up for the rest.
    ///   - processorTime: The processor time that this thread has used so far.
    /// - Returns: The cost that fills the time, or the least.
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
