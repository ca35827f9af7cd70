import DataProtection
import KeychainModel

// Factory reset: the keys first, then the rows. A mark in the store is durable before the first key
// is destroyed. After a crash, the next opening of the keychain finds the mark and finishes the
// reset.
//
// Source: requirement STO-15; Documentation/Spec/store.md §2.
extension Engine {
    /// Destroys every key and every row; the device is then new, without a passcode.
    ///
    /// - Throws: The errors of files and store. The next opening of the keychain then finishes the
    ///   reset.
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
    /// Continues a factory reset that a crash interrupted.
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
