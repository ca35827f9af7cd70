/// What has to be done after an event, in this order.
package enum DeviceEffect: Sendable, Equatable {
    /// Wipe the keys of the classes that are available only while unlocked.
    case evictWhenUnlocked

    /// Wipe the keys of all classes that the passcode guards.
    case evictAll

    /// Come back at this moment with `timePassed`.
    case schedule(DeviceInstant)

    /// Tell whoever listens.
    case announce(DeviceAnnouncement)
}

/// What applications are told about protected data; the two always alternate.
package enum DeviceAnnouncement: Sendable, Equatable {
    /// `UIApplication.protectedDataWillBecomeUnavailableNotification`.
    case protectedDataWillBecomeUnavailable

    /// `UIApplication.protectedDataDidBecomeAvailableNotification`.
    case protectedDataDidBecomeAvailable
}
