import Foundation

/// An old store, which can read and delete single values and report whether it is readable now.
///
/// ```swift
/// let old: any LegacySource = DefaultsSource(suite: "com.example.app")
/// let token = try old.read("session.token")?.secret
/// ```
/// - Source: Migration guide, Why Migrate and Trap 3.
public protocol LegacySource: Sendable {
    /// The name in reports and in the journal; the same at every launch, so not a container path.
    var name: String { get }
    /// Whether a missing value really does not exist.
    var trust: SourceTrust { get }
    /// Returns a value, or nil only if there is none.
    func read(_ key: String) throws(SourceFailure) -> LegacyValue?
    /// Deletes a value; a missing value is not an error.
    func delete(_ key: String) throws(SourceFailure)
}

/// Whether a store is readable now, so that a missing value does not exist.
///
/// ```swift
/// let old = DefaultsSource(suite: "com.example.app", trust: { .protectedDataUnavailable })
/// ```
public enum SourceTrust: Codable, Hashable, Sendable {
    /// A missing value does not exist.
    case trusted
    /// A missing value may exist, for this reason.
    case untrusted(String)

    /// The state before the first unlock or in a prewarmed launch.
    public static let protectedDataUnavailable = untrusted("protected data is unavailable")
}

/// A value in an old store.
///
/// ```swift
/// let value = LegacyValue(SecretBytes("secret"))
/// ```
public struct LegacyValue: Sendable {
    /// The secret.
    public var secret: SecretBytes
    /// The properties that move with the value: for a keychain item, attributes and accessibility.
    public var carried: KeychainItem?

    /// Creates a value, with or without the item to which it belongs.
    public init(_ secret: SecretBytes, carried: KeychainItem? = nil) {
        self.secret = secret
        self.carried = carried
    }
}

/// The reason why an old store could not be read or changed; it names the file, never the value.
///
/// ```swift
/// do {
///     _ = try old.read("session.token")
/// } catch let failure as SourceFailure where failure.reason == .symbolicLink {
///     print(failure)
/// }
/// ```
public struct SourceFailure: Error, Codable, Hashable, Sendable {
    /// The kind of failure.
    ///
    /// ```swift
    /// let isDamaged = failure.reason == .damaged
    /// ```
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        /// The file does not have the expected format.
        case damaged
        /// An archive contains a class that the program did not allow.
        case unknownClass
        /// The file is a symbolic link.
        case symbolicLink
        /// The file belongs to another user.
        case foreignOwner
        /// The path does not lead to a regular file.
        case notAFile
        /// The folder is read-only, so the old copy could not be removed.
        case readOnlyFolder
        /// The file does not exist.
        case missing
        /// The file is larger than the reader accepts.
        case tooLarge
        /// The system did not allow reading.
        case unreadable
        /// The system did not allow a change or removal.
        case undeletable
        /// The value changed during the move.
        case changed
        /// Another program has the file open for writing, or changes it at this moment.
        case inUse
        /// The key has a form that the store does not support.
        case unsupportedKey
        /// The value cannot be stored as a secret.
        case unsupportedValue
        /// The store is locked now (`errSecInteractionNotAllowed`, -25308).
        case locked
    }

    /// The kind of failure.
    public let reason: Reason
    /// The store, file or key.
    public let place: String

    /// Creates a failure at a place.
    public init(_ reason: Reason, _ place: String) {
        self.reason = reason
        self.place = place
    }
}

extension SourceFailure: CustomStringConvertible {
    /// The kind and the place, such as `symbolicLink: tokens.plist`.
    public var description: String { "\(reason.rawValue): \(place)" }
}
