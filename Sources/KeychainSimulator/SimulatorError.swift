import KeychainModel

/// An error of a simulated device: a refused operation, or a failure of its files.
///
/// ```swift
/// do {
///     try phone.unlock(passcode: "1234")
/// } catch let error as SimulatorError {
///     print(error.status, error.reason)  // -25293 and a sentence
/// }
/// ```
public struct SimulatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The status that a program would see, such as `errSecAuthFailed` (-25293) for a wrong
    /// passcode.
    public let status: Int32
    /// The reason as a sentence.
    public let reason: String

    package init(_ error: KeychainError) {
        status = error.status.rawValue
        reason = error.reason
    }

    /// Returns the error for a feature of a later version.
    package static func notAvailableYet(_ feature: String) -> SimulatorError {
        SimulatorError(KeychainError(.unimplemented, "\(feature) is not available yet"))
    }

    /// The status's name and number, and the reason.
    public var description: String {
        KeychainError(SecurityStatus(rawValue: status), reason).description
    }
}
