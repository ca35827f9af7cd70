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
            try state.inTransaction { state throws(KeychainError) in
                try visit { () throws(StoreError) in try state.store.markErasure() }
            }
            try state.finishErasure()
        }
    }
}

extension EngineState {
    /// Carries on with a factory reset that a crash interrupted.
    mutating func resumeErasure() throws(KeychainError) {
        let isErasing = try visit { () throws(StoreError) in try store.isErasing() }
        if isErasing { try finishErasure() }
    }

    fileprivate mutating func finishErasure() throws(KeychainError) {
        let instant = environment.instant()
        announcements += try visit { () throws(DeviceError) in try device.erase(at: instant) }
        try renewDigests()
        try begin()
        do throws(KeychainError) {
            try visit { () throws(StoreError) in
                try store.removeEverything()
                try store.replaceKeySet(device.keySet)
            }
            try commit()
        } catch {
            rollBack()
            throw error
        }
        store.forgetEarlierValues()
        closeUnavailable()
    }
}
