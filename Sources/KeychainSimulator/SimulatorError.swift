import KeychainModel

/// What a simulated device refuses, or cannot do yet.
public struct SimulatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The status that a program would see, such as -25293 for a wrong passcode.
    public let status: Int32
    /// Why, as a sentence.
    public let reason: String

    package init(_ error: KeychainError) {
        status = error.status.rawValue
        reason = error.reason
    }

    /// A feature that a later version brings.
    package static func notAvailableYet(_ feature: String) -> SimulatorError {
        SimulatorError(KeychainError(.unimplemented, "\(feature) is not available yet"))
    }

    /// Name, number and reason.
    public var description: String {
        KeychainError(SecurityStatus(rawValue: status), reason).description
    }
}
