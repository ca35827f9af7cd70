/// A moment in a device's life: the boot, and the time since then, including suspended time.
package struct DeviceInstant: Sendable, Hashable {
    /// The size of a boot id in bytes.
    package static let bootIDByteCount = 16

    /// 16 bytes that are unique to this boot.
    package let bootID: [UInt8]

    /// The time since that boot.
    package let uptime: Duration

    /// The part of that time for which the machine was suspended.
    package let suspended: Duration

    /// The wall clock's time in seconds since 1970; a user can set it.
    package let wallClock: Int64

    /// Creates a moment.
    ///
    /// - Parameters:
    ///   - bootID: 16 bytes.
    ///   - uptime: The time since that boot.
    ///   - suspended: The part of it for which the machine was suspended.
    ///   - wallClock: Seconds since 1970.
    package init(
        bootID: [UInt8],
        uptime: Duration,
        suspended: Duration = .zero,
        wallClock: Int64 = 0
    ) {
        precondition(bootID.count == Self.bootIDByteCount, "A boot id has 16 bytes.")
        self.bootID = bootID
        self.uptime = uptime
        self.suspended = suspended
        self.wallClock = wallClock
    }

    /// Returns the moment after a duration in the same boot.
    package func advanced(by duration: Duration) -> DeviceInstant {
        DeviceInstant(
            bootID: bootID,
            uptime: uptime + duration,
            suspended: suspended,
            wallClock: wallClock
        )
    }

    /// Returns the time since an earlier moment of the same boot; `nil` for any other moment.
    package func elapsed(since earlier: DeviceInstant) -> Duration? {
        guard earlier.bootID == bootID, earlier.uptime <= uptime else { return nil }
        return uptime - earlier.uptime
    }

    /// Whether a deadline has passed; one of another boot always has.
    package func hasReached(_ deadline: DeviceInstant) -> Bool {
        deadline.bootID != bootID || deadline.uptime <= uptime
    }
}
