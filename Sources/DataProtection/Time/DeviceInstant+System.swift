import Glibc

extension DeviceInstant {
    private static let bootIDPath = "/proc/sys/kernel/random/boot_id"

    /// The most that two readings of one clock may lie apart for a third between them to be taken.
    private static let tolerance = Duration.milliseconds(1)

    /// How often a thread that was interrupted reads again.
    private static let attemptCount = 16

    /// Reads this machine's clocks and its boot id.
    ///
    /// - Throws: `system` when the kernel does not tell the boot id or the time.
    package static func systemNow() throws(StorageError) -> DeviceInstant {
        try systemNow(bootID: try systemBootID())
    }

    /// Reads this machine's clocks: `CLOCK_BOOTTIME`, which runs on while suspended, and
    /// `CLOCK_MONOTONIC`, which does not; the difference is how long that was.
    ///
    /// - Parameter bootID: This boot's.
    /// - Returns: The moment.
    /// - Throws: `system` when the kernel does not tell the time.
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

    /// Local time by the wall clock, both in seconds since 1970; the same where no zone is known.
    ///
    /// - Source: localtime_r(3); the C library reads the zone once for each process.
    package static func localTime(_ wallClock: Int64) -> Int64 {
        var seconds = time_t(wallClock)
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return wallClock }
        return wallClock + Int64(fields.tm_gmtoff)
    }

    /// Parses the kernel's text form: 32 hexadecimal digits with dashes between.
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
