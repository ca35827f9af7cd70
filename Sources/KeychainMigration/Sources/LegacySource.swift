import Foundation

/// An old store: it reads one value, deletes one value, and says whether it can be believed now.
///
/// - Source: Migration guide, Why Migrate and Trap 3.
public protocol LegacySource: Sendable {
    /// What reports and the journal call the store; the same at every launch, so no container path.
    var name: String { get }
    /// Whether an empty read means that there is nothing.
    var trust: SourceTrust { get }
    /// A value; nil only if there is none.
    func read(_ key: String) throws(SourceFailure) -> LegacyValue?
    /// Deletes a value; that there is none is no error.
    func delete(_ key: String) throws(SourceFailure)
}

/// Whether what a store says can be believed right now.
public enum SourceTrust: Codable, Hashable, Sendable {
    /// What is not there does not exist.
    case trusted
    /// What is not there may exist all the same, for this reason.
    case untrusted(String)

    /// Before the first unlock, or in a prewarmed launch.
    public static let protectedDataUnavailable = untrusted("protected data is unavailable")
}

/// What an old store holds under a key.
public struct LegacyValue: Sendable {
    /// The secret.
    public var secret: SecretBytes
    /// What goes along: of an item in a keychain its attributes and accessibility.
    public var carried: KeychainItem?

    /// A value, with or without an item that it belongs to.
    public init(_ secret: SecretBytes, carried: KeychainItem? = nil) {
        self.secret = secret
        self.carried = carried
    }
}

/// Why an old store could not be read or changed; names the file, never the value.
public struct SourceFailure: Error, Codable, Hashable, Sendable {
    /// What went wrong.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        /// The file is not of the format that it should be.
        case damaged
        /// An archive holds a class that nobody allowed.
        case unknownClass
        /// The file is a symbolic link.
        case symbolicLink
        /// The file belongs to another user.
        case foreignOwner
        /// What is there is not a regular file.
        case notAFile
        /// The folder may not be changed, so that nothing could be removed afterwards.
        case readOnlyFolder
        /// The system refused to read.
        case unreadable
        /// The system refused to change or remove.
        case undeletable
        /// The value became another one while it was moved.
        case changed
        /// The key names what the store cannot hold.
        case unsupportedKey
        /// The value cannot be stored as a secret.
        case unsupportedValue
        /// The store cannot be opened at present (-25308).
        case locked
    }

    /// What went wrong.
    public let reason: Reason
    /// The store, file or key.
    public let place: String

    /// A failure at a place.
    public init(_ reason: Reason, _ place: String) {
        self.reason = reason
        self.place = place
    }
}

extension SourceFailure: CustomStringConvertible {
    /// Such as `symbolicLink: tokens.plist`.
    public var description: String { "\(reason.rawValue): \(place)" }
}
