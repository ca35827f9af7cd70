public import Foundation

// What needs prompts or backups: present by name, and honest about it.
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

    /// Makes an encrypted backup.
    ///
    /// - Throws: ``SimulatorError`` with -4: backups are not available yet.
    public func backup(password: String) throws -> Data {
        throw SimulatorError.notAvailableYet("making a backup")
    }

    /// Restores an encrypted backup.
    ///
    /// - Throws: ``SimulatorError`` with -4: backups are not available yet.
    public func restore(_ backup: Data, password: String) throws {
        throw SimulatorError.notAvailableYet("restoring a backup")
    }
}
