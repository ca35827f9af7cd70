// What needs prompts: present by name, and honest about it.
extension SimulatedDevice {
    /// Unlocks with the face or finger of ``user``.
    ///
    /// - Throws: ``SimulatorError`` with -4: biometry is not available yet.
    public func unlockWithBiometry() throws {
        throw SimulatorError.notAvailableYet("unlocking with biometry")
    }

    /// Enrolls a further face or finger.
    ///
    /// - Throws: ``SimulatorError`` with -4: biometry is not available yet.
    public func enroll(_ name: String) throws {
        throw SimulatorError.notAvailableYet("enrolling")
    }

    /// Removes an enrolled face or finger.
    ///
    /// - Throws: ``SimulatorError`` with -4: biometry is not available yet.
    public func removeEnrollment(_ name: String) throws {
        throw SimulatorError.notAvailableYet("removing an enrollment")
    }
}
