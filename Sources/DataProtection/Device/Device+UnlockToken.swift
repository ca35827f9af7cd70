import KeychainModel
import Secrets

// What a match of a face or finger releases, kept from an unlock on.
//
// Source: Documentation/Spec/keybag.md §6.
extension Device {
    /// Keeps what a match of a face or finger is to release, as far as a token may be kept.
    ///
    /// - Parameter released: What the passcode or a session released.
    /// - Throws: What the element throws, or `cryptography`.
    mutating func keepToken(releasing released: [Factor: SharedSecret]) throws(DeviceError) {
        unlockToken = try mayKeepToken() ? keybag.unlockToken(released, random: random) : nil
    }

    /// Keeps it after a change that is in force already: without a token the passcode is asked for.
    mutating func keepTokenIfPossible(releasing released: [Factor: SharedSecret]) {
        do throws(DeviceError) { try keepToken(releasing: released) } catch { unlockToken = nil }
    }

    /// Lets go of a token that no face or finger can use any more.
    ///
    /// - Throws: What the element throws.
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
