/// What happens to a device.
package enum DeviceEvent: Sendable, Equatable {
    /// The device is locked; class keys stay for the grace period, zero for not at all.
    case lock(grace: Duration)

    /// The right passcode was entered, and the class keys are in memory.
    case unlocked

    /// The clock moved.
    case timePassed

    /// A passcode was set on a device that had none.
    case passcodeSet

    /// The passcode was removed; every remaining class key is in memory.
    case passcodeRemoved

    /// The device started anew.
    case reboot

    /// Another process's session was taken over, with the class keys it holds.
    case sessionResumed(LockState, evictionDeadline: DeviceInstant?)
}
