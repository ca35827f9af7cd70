import Foundation

/// Values in `UserDefaults`: the standard ones, those of a suite, or an object that you pass.
///
/// On Linux a suite is the property list of that name in `~/.config`.
///
/// ```swift
/// let old = DefaultsSource(suite: "com.example.app")
/// let move = Move("session.token", from: old, to: token)
/// ```
public struct DefaultsSource: LegacySource {
    /// The name of the defaults in reports and in the journal.
    public let name: String
    private let defaults: SharedDefaults
    private let isTrusted: @Sendable () -> SourceTrust

    /// Creates a source from the defaults of a suite, or from the program's own.
    ///
    /// Defaults can seem empty before the first unlock. On a device that locks, pass `trust` to say
    /// whether they are readable.
    public init(
        suite: String? = nil,
        trust: @escaping @Sendable () -> SourceTrust = { .trusted }
    ) {
        let defaults = suite.flatMap(UserDefaults.init(suiteName:)) ?? .standard
        self.init(defaults, name: "defaults \(suite ?? "standard")", trust: trust)
    }

    /// Creates a source from an object, so that tests never touch the standard defaults.
    ///
    /// - Source: Migration guide, Testing Migration Paths.
    public init(
        _ defaults: UserDefaults,
        name: String,
        trust: @escaping @Sendable () -> SourceTrust = { .trusted }
    ) {
        self.name = name
        self.defaults = SharedDefaults(defaults)
        isTrusted = trust
    }

    /// Whether a missing value really does not exist.
    public var trust: SourceTrust { isTrusted() }

    /// Returns a value, or nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let value = defaults.use({ $0.object(forKey: key) }) else { return nil }
        return try PlainValue.secret(of: value, named: key).map { LegacyValue($0) }
    }

    /// Deletes a value; a missing value is not an error.
    public func delete(_ key: String) throws(SourceFailure) {
        let isGone = defaults.use { defaults in
            defaults.removeObject(forKey: key)
            _ = defaults.synchronize()
            return defaults.object(forKey: key) == nil
        }
        // Values under this name in registered or global defaults cannot be removed here.
        guard isGone else { throw SourceFailure(.undeletable, key) }
    }
}

/// Defaults that several tasks can use.
///
/// `@unchecked Sendable`: Apple documents `UserDefaults` as thread-safe, and every use here also
/// holds the lock.
final class SharedDefaults: @unchecked Sendable {
    private let lock = NSLock()
    private let defaults: UserDefaults

    init(_ defaults: UserDefaults) { self.defaults = defaults }

    func use<Result>(_ body: (UserDefaults) -> Result) -> Result {
        lock.withLock { body(defaults) }
    }
}
