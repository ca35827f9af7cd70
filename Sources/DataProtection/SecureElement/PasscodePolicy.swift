/// The delays after wrong passcodes.
///
/// Nothing is ever erased: the longest delay simply repeats.
/// - Source: Apple Platform Security, "Passcodes and passwords".
package enum PasscodePolicy {
    /// One row: the delay from this number of failures in a row on.
    package struct Row: Sendable {
        package let failures: UInt32
        package let delay: Duration
    }

    /// ★ The table, sorted by number of failures.
    package static let table: [Row] = [
        Row(failures: 0, delay: .zero),
        Row(failures: 5, delay: .seconds(1 * 60)),
        Row(failures: 6, delay: .seconds(5 * 60)),
        Row(failures: 7, delay: .seconds(15 * 60)),
        Row(failures: 9, delay: .seconds(60 * 60)),
    ]

    /// Returns the delay after a number of failures in a row.
    package static func delay(afterFailures failures: UInt32) -> Duration {
        table.last { $0.failures <= failures }?.delay ?? .zero
    }
}
