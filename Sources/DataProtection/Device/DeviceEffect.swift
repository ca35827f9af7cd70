/// An action that the device has to take after an event, in the given order.
package enum DeviceEffect: Sendable, Equatable {
    /// Wipe the keys of the classes that are available only while unlocked.
    case evictWhenUnlocked

    /// Wipe the keys of all classes that the passcode guards.
    case evictAll

    /// Send `timePassed` at this moment.
    case schedule(DeviceInstant)

    /// Notify the listeners.
    case announce(DeviceAnnouncement)
}

/// The notifications about protected data; the two always alternate.
package enum DeviceAnnouncement: Sendable, Equatable {
    /// `UIApplication.protectedDataWillBecomeUnavailableNotification`.
    case protectedDataWillBecomeUnavailable

    /// `UIApplication.protectedDataDidBecomeAvailableNotification`.
    case protectedDataDidBecomeAvailable
}
