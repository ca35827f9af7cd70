import Glibc

extension DeviceInstant {
    private static let bootIDPath = "/proc/sys/kernel/random/boot_id"

    /// Reads this machine's clock: `CLOCK_BOOTTIME`, which runs on while suspended.
    ///
    /// - Throws: `system` when the kernel does not tell the boot id or the time.
    package static func systemNow() throws(StorageError) -> DeviceInstant {
        var time = timespec()
        guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else {
            throw .system(operation: "clock_gettime", path: "CLOCK_BOOTTIME", code: errno)
        }
        return DeviceInstant(
            bootID: try systemBootID(),
            uptime: .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        )
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
