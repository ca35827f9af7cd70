/// An event in the life of a device.
package enum DeviceEvent: Sendable, Equatable {
    /// The device is locked; class keys stay for the grace period, which may be zero.
    case lock(grace: Duration)

    /// The right passcode was entered, and the class keys are in memory.
    case unlocked

    /// Time passed.
    case timePassed

    /// A passcode was set on a device that had none.
    case passcodeSet

    /// The passcode was removed; every remaining class key is in memory.
    case passcodeRemoved

    /// The device restarted.
    case reboot

    /// Another process's session was taken over, with its class keys.
    case sessionResumed(LockState, evictionDeadline: DeviceInstant?)
}
