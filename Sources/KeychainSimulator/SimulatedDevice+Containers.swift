// Files and defaults of apps have the class CompleteUntilFirstUserAuthentication.
extension SimulatedDevice {
    /// Hides the files and defaults of apps before the first unlock, and restores them after it.
    func followLockState() {
        installations.setReachable(!system.enforcesLockState || state != .beforeFirstUnlock)
    }
}
