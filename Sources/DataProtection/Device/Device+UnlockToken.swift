import KeychainModel
import Secrets

// The keys that a match of a face or finger releases, kept from an unlock on.
//
// Source: Documentation/Spec/keybag.md §6.
extension Device {
    /// Keeps the keys that a match will release, if the device may keep a token.
    ///
    /// - Parameter released: The keys that the passcode or a session released.
    /// - Throws: The errors of the element, or `cryptography`.
    mutating func keepToken(releasing released: [Factor: SharedSecret]) throws(DeviceError) {
        unlockToken = try mayKeepToken() ? keybag.unlockToken(released, random: random) : nil
    }

    /// Keeps a token after a change that is already in force; without one, the passcode is needed.
    mutating func keepTokenIfPossible(releasing released: [Factor: SharedSecret]) {
        do throws(DeviceError) { try keepToken(releasing: released) } catch { unlockToken = nil }
    }

    /// Drops a token that no face or finger can use.
    ///
    /// - Throws: The errors of the element.
    package mutating func forgetUselessToken() throws(DeviceError) {
        if unlockToken != nil, try !mayKeepToken() { unlockToken = nil }
    }

    private func mayKeepToken() throws(DeviceError) -> Bool {
        switch tokenLifetime {
        case .untilRestart: return true
        case .untilLock:
            guard state.lockState == .unlocked else { return false }
            return try element.enrolments()?.templates.isEmpty == false
        }
    }
}
