// Files and defaults of apps are in the class CompleteUntilFirstUserAuthentication.
extension SimulatedDevice {
    /// Takes the files and defaults of apps out of reach before the first unlock, and brings them
    /// back after it.
    func followLockState() {
        installations.setReachable(!system.enforcesLockState || state != .beforeFirstUnlock)
    }
}
