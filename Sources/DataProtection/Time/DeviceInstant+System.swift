import Glibc

extension DeviceInstant {
    private static let bootIDPath = "/proc/sys/kernel/random/boot_id"

    /// The longest time between two readings of one clock for which a reading in between counts.
    private static let tolerance = Duration.milliseconds(1)

    /// The number of attempts to read both clocks without an interruption.
    private static let attemptCount = 16

    /// Reads this machine's clocks and its boot id.
    ///
    /// - Throws: `system` if the kernel does not report the boot id or the time.
    package static func systemNow() throws(StorageError) -> DeviceInstant {
        try systemNow(bootID: try systemBootID())
    }

    /// Reads this machine's clocks.
    ///
    /// `CLOCK_BOOTTIME` continues while the machine is suspended and `CLOCK_MONOTONIC` does not, so
    /// their difference is the suspended time.
    ///
    /// - Parameter bootID: This boot's ID.
    /// - Returns: The current moment.
    /// - Throws: `system` if the kernel does not report the time.
    package static func systemNow(bootID: [UInt8]) throws(StorageError) -> DeviceInstant {
        var before = try reading(CLOCK_BOOTTIME, "CLOCK_BOOTTIME")
        var awake = Duration.zero
        for _ in 0..<attemptCount {
            awake = try reading(CLOCK_MONOTONIC, "CLOCK_MONOTONIC")
            let after = try reading(CLOCK_BOOTTIME, "CLOCK_BOOTTIME")
            if after - before <= tolerance { break }
            before = after
        }
        return DeviceInstant(
            bootID: bootID,
            uptime: before,
            suspended: max(.zero, before - awake),
            wallClock: try reading(CLOCK_REALTIME, "CLOCK_REALTIME").components.seconds
        )
    }

    private static func reading(
        _ clock: clockid_t,
        _ name: String
    ) throws(StorageError) -> Duration {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else {
            throw .system(operation: "clock_gettime", path: name, code: errno)
        }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// Converts wall clock time to local time, both in seconds since 1970.
    ///
    /// Without a known time zone it returns its argument.
    ///
    /// - Source: localtime_r(3); the C library reads the zone once for each process.
    package static func localTime(_ wallClock: Int64) -> Int64 {
        var seconds = time_t(wallClock)
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return wallClock }
        return wallClock + Int64(fields.tm_gmtoff)
    }

    /// Reads and parses the kernel's text form: 32 hexadecimal digits with dashes.
    private static func systemBootID() throws(StorageError) -> [UInt8] {
        let text = try Descriptor(opening: bootIDPath, flags: O_RDONLY).readAll(limit: 64)
        let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * bootIDByteCount else {
            throw .system(operation: "parse", path: bootIDPath, code: EINVAL)
        }
        return stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8(digits[index] << 4 | digits[index + 1])
        }
    }
}
