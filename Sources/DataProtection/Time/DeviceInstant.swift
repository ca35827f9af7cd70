/// A moment in a device's life: which boot, and how long after it, suspended time included.
package struct DeviceInstant: Sendable, Hashable {
    /// The size of a boot id in bytes.
    package static let bootIDByteCount = 16

    /// 16 bytes that no other boot has.
    package let bootID: [UInt8]

    /// The time since that boot.
    package let uptime: Duration

    /// How much of that time the machine was suspended.
    package let suspended: Duration

    /// What the wall clock shows, in seconds since 1970; it can be set.
    package let wallClock: Int64

    /// States a moment.
    ///
    /// - Parameters:
    ///   - bootID: 16 bytes.
    ///   - uptime: The time since that boot.
    ///   - suspended: How much of it the machine was suspended.
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

    /// The moment a while later in the same boot.
    package func advanced(by duration: Duration) -> DeviceInstant {
        DeviceInstant(
            bootID: bootID,
            uptime: uptime + duration,
            suspended: suspended,
            wallClock: wallClock
        )
    }

    /// The time passed since an earlier moment of the same boot; `nil` for any other moment.
    package func elapsed(since earlier: DeviceInstant) -> Duration? {
        guard earlier.bootID == bootID, earlier.uptime <= uptime else { return nil }
        return uptime - earlier.uptime
    }

    /// Tells whether a deadline is over; those of other boots always are.
    package func hasReached(_ deadline: DeviceInstant) -> Bool {
        deadline.bootID != bootID || deadline.uptime <= uptime
    }
}
