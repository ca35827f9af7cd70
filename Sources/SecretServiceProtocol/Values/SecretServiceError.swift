/// The reason why a call fails, with the D-Bus name of the error.
package struct SecretServiceError: Error, Sendable, Equatable {
    /// The errors in the service's replies.
    package enum Kind: String, Sendable, CaseIterable {
        case isLocked = "org.freedesktop.Secret.Error.IsLocked"
        case noSession = "org.freedesktop.Secret.Error.NoSession"
        case noSuchObject = "org.freedesktop.Secret.Error.NoSuchObject"
        case notSupported = "org.freedesktop.DBus.Error.NotSupported"
        case invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
        case limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
        case unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
        case unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
        case unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
        case readOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
        case accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
        case failed = "org.freedesktop.DBus.Error.Failed"
    }

    package let kind: Kind
    /// The reason as text for users.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// Compares only kinds, so that tests do not depend on the text.
    package static func == (left: SecretServiceError, right: SecretServiceError) -> Bool {
        left.kind == right.kind
    }

    static let isLocked = SecretServiceError(.isLocked, "the keychain is locked")
    static let noSession = SecretServiceError(.noSession, "this client has no such session")

    static func noSuchObject(_ path: String) -> SecretServiceError {
        SecretServiceError(.noSuchObject, "there is no object \(path.prefix(256))")
    }
}
