public import Foundation
import KeychainEngine
public import KeychainModel

/// What a restore did: how many items came back, and which were there already.
public typealias RestoreReport = KeychainModel.RestoreReport

extension SimulatedDevice {
    /// Makes an encrypted backup of all that may leave the device.
    ///
    /// - Throws: ``SimulatorError`` with -25308 unless the device is unlocked, and with -50 for an
    ///   empty password.
    public func backup(password: String) throws -> Data {
        var bytes: [UInt8] = []
        _ = try perform { engine throws(KeychainError) in
            try engine.backup(
                password: Self.secret(password),
                to: { part throws(KeychainError) in bytes += part }
            )
        }
        return Data(bytes)
    }

    /// Restores an encrypted backup, of this device or another; all of it or nothing.
    ///
    /// - Throws: ``SimulatorError`` with -25293 for a wrong password, with -26275 for a damaged
    ///   backup, and with -25308 unless the device is unlocked.
    @discardableResult
    public func restore(_ backup: Data, password: String) throws -> RestoreReport {
        var rest = [UInt8](backup)[...]
        return try perform { engine throws(KeychainError) in
            try engine.restore(
                password: Self.secret(password),
                from: { count throws(KeychainError) in
                    defer { rest = rest.dropFirst(count) }
                    return Array(rest.prefix(count))
                }
            )
        }
    }
}
