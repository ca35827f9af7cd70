import DataProtection

/// A device's state in Apple's iOS Simulator: a lock state that protects nothing.
///
/// - Source: requirement SIM-16.
struct UnenforcedDevice: Sendable {
    var state: DeviceState
    var passcode: String?

    init(passcode: String?, at now: DeviceInstant) {
        self.passcode = passcode
        state = DeviceState(isPasscodeSet: passcode != nil)
        handle(.unlocked, at: now)
    }

    @discardableResult
    mutating func handle(_ event: DeviceEvent, at now: DeviceInstant) -> [DeviceAnnouncement] {
        state.handle(event, at: now).compactMap { effect in
            if case .announce(let announcement) = effect { announcement } else { nil }
        }
    }
}
