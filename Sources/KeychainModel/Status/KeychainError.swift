/// What a call to the keychain throws: a status for programs and a reason for people.
///
/// Equal by status, so that tests compare errors without matching prose.
package struct KeychainError: Error, Sendable, Equatable, CustomStringConvertible {
    package let status: SecurityStatus
    package let reason: String

    package init(_ status: SecurityStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    package static func == (left: KeychainError, right: KeychainError) -> Bool {
        left.status == right.status
    }

    /// `errSecParam (-50): the reason`.
    package var description: String { "\(status.name) (\(status.rawValue)): \(reason)" }
}
