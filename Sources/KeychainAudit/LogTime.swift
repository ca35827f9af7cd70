/// Seconds since 1970 as text, in UTC and for the years 1970 to 9999.
///
/// Both ways without the C library: its functions take locks, and the log writes a time per call.
/// - Source: RFC 3339 §5.6; the Gregorian calendar's cycle of 400 years has 146,097 days.
enum LogTime {
    /// `2026-11-23T03:21:43Z`.
    static let byteCount = 20

    private static let last: Int64 = 253_402_300_799
    private static let secondsPerDay: Int64 = 86_400

    /// Returns the nearest time that can be written.
    static func clamped(_ seconds: Int64) -> Int64 { min(max(seconds, 0), last) }

    /// Adds the text of a time.
    static func append(_ seconds: Int64, to bytes: inout [UInt8]) {
        let seconds = clamped(seconds)
        let date = Date(day: seconds / secondsPerDay)
        let rest = seconds % secondsPerDay
        append(date.year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(date.month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(date.day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(rest / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(rest / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(rest % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Returns the text of a time.
    static func text(_ seconds: Int64) -> String {
        var bytes: [UInt8] = []
        append(seconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a text; nil for anything that `append` does not write.
    static func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count == byteCount else { return nil }
        let start = text.startIndex
        func number(_ place: Int, _ digits: Int) -> Int64? {
            var value: Int64 = 0
            for byte in text[(start + place)..<(start + place + digits)] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
            year >= 1970, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let found =
            Date(year: year, month: month, day: day).number * secondsPerDay + hour * 3600
            + minute * 60 + second
        var written: [UInt8] = []
        append(found, to: &written)
        return text.elementsEqual(written) ? found : nil
    }

    private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }

    /// A day of the calendar.
    ///
    /// To count, years begin with March, so that leap days come last.
    private struct Date {
        var year: Int64
        var month: Int64
        var day: Int64

        private static let cycleDays: Int64 = 146_097
        /// Days from 1 March of the year 0 to 1 January 1970.
        private static let offset: Int64 = 719_468

        init(year: Int64, month: Int64, day: Int64) {
            self.year = year
            self.month = month
            self.day = day
        }

        /// Takes days since 1 January 1970, none negative.
        init(day number: Int64) {
            let shifted = number + Self.offset
            let cycle = shifted / Self.cycleDays
            let inCycle = shifted % Self.cycleDays
            // One day less for every leap day that came before.
            let leaps = inCycle / 1460 - inCycle / 36_524 + inCycle / 146_096
            let yearInCycle = (inCycle - leaps) / 365
            let inYear = inCycle - (yearInCycle * 365 + yearInCycle / 4 - yearInCycle / 100)
            let fromMarch = (5 * inYear + 2) / 153
            day = inYear - (153 * fromMarch + 2) / 5 + 1
            month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
            year = cycle * 400 + yearInCycle + (month <= 2 ? 1 : 0)
        }

        /// Days since 1 January 1970.
        var number: Int64 {
            let year = month <= 2 ? self.year - 1 : self.year
            let cycle = year / 400
            let yearInCycle = year % 400
            let fromMarch = month > 2 ? month - 3 : month + 9
            let inYear = (153 * fromMarch + 2) / 5 + day - 1
            let inCycle = yearInCycle * 365 + yearInCycle / 4 - yearInCycle / 100 + inYear
            return cycle * Self.cycleDays + inCycle - Self.offset
        }
    }
}
