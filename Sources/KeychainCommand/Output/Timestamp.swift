import Glibc

/// A moment, split into its parts in UTC.
struct Timestamp {
    /// 2001-01-01T00:00:00Z in seconds since 1970.
    private static let reference = 978_307_200.0

    private let parts: tm

    /// Converts seconds since 2001-01-01T00:00:00Z; nil outside the years 0 to 9999.
    init?(secondsSinceReference seconds: Double) {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        var time = time_t((seconds + Self.reference).rounded(.down))
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil, (-1900..<8100).contains(parts.tm_year) else {
            return nil
        }
        self.parts = parts
    }

    /// The moment in the form `2025-03-01T12:00:00Z` (ISO 8601).
    var extended: String { "\(date("-"))T\(clock(":"))Z" }

    /// The moment in the form `20250301120000Z`, as in macOS's dumps.
    var compact: String { "\(date(""))\(clock(""))Z" }

    private func date(_ separator: String) -> String {
        [
            Self.padded(parts.tm_year + 1900, 4), Self.padded(parts.tm_mon + 1, 2),
            Self.padded(parts.tm_mday, 2),
        ].joined(separator: separator)
    }

    private func clock(_ separator: String) -> String {
        [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.padded($0, 2) }
            .joined(separator: separator)
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
