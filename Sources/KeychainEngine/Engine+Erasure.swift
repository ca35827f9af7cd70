import DataProtection
import KeychainModel

// Factory reset: the keys first, then the rows. A mark in the store, durable before the first key
// goes, has whoever opens the keychain after a crash finish what was begun.
//
// Source: requirement STO-15; Documentation/Spec/store.md §2.
extension Engine {
    /// Destroys every key, and every row with them; the device is then as new, with no passcode.
    ///
    /// - Throws: what files and store throw; whoever opens the keychain next finishes the reset.
    package func erase() throws(KeychainError) {
        try enter { state throws(KeychainError) in
            try state.vault.inTransaction(&state.session) { vault, _ throws(KeychainError) in
                try vault.store.markErasure()
            }
            try state.finishErasure()
        }
    }
}

extension EngineState {
    /// Carries on with a factory reset that a crash interrupted.
    mutating func resumeErasure() throws(KeychainError) {
        if try vault.store.isErasing() { try finishErasure() }
    }

    fileprivate mutating func finishErasure() throws(KeychainError) {
        try session.change { device, now throws(DeviceError) in try device.erase(at: now) }
        try vault.renewDigests(session)
        try vault.begin()
        do throws(KeychainError) {
            try vault.store.removeEverything()
            try vault.store.replaceKeySet(session.device.keySet)
            try vault.commit()
        } catch {
            vault.rollBack()
            throw error
        }
        vault.store.removeEarlierValues()
        vault.closeUnavailable(session)
    }
}
