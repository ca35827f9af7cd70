import Foundation

/// Values in `UserDefaults`: the standard ones, a suite's, or those that are handed over.
///
/// On Linux a suite is the property list of its name in `~/.config`.
public struct DefaultsSource: LegacySource {
    /// What reports and the journal call the defaults.
    public let name: String
    private let defaults: SharedDefaults
    private let isTrusted: @Sendable () -> SourceTrust

    /// The defaults of a suite; of the program itself without one.
    ///
    /// Defaults may read as empty before the first unlock, so whoever runs where a device locks
    /// says whether to trust them.
    public init(
        suite: String? = nil,
        trust: @escaping @Sendable () -> SourceTrust = { .trusted }
    ) {
        let defaults = suite.flatMap(UserDefaults.init(suiteName:)) ?? .standard
        self.init(defaults, name: "defaults \(suite ?? "standard")", trust: trust)
    }

    /// Defaults that are handed over, so that tests never touch the standard ones.
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

    /// Whether an empty read means that there is nothing.
    public var trust: SourceTrust { isTrusted() }

    /// A value; nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let value = defaults.use({ $0.object(forKey: key) }) else { return nil }
        return try PlainValue.secret(of: value, named: key).map { LegacyValue($0) }
    }

    /// Deletes a value; that there is none is no error.
    public func delete(_ key: String) throws(SourceFailure) {
        let isGone = defaults.use { defaults in
            defaults.removeObject(forKey: key)
            _ = defaults.synchronize()
            return defaults.object(forKey: key) == nil
        }
        // What registered or global defaults say under this name cannot be removed here.
        guard isGone else { throw SourceFailure(.undeletable, key) }
    }
}

/// Defaults that several tasks use.
///
/// `@unchecked Sendable`: Apple documents `UserDefaults` as safe to use from several threads, and
/// here every use holds the lock as well.
final class SharedDefaults: @unchecked Sendable {
    private let lock = NSLock()
    private let defaults: UserDefaults

    init(_ defaults: UserDefaults) { self.defaults = defaults }

    func use<Result>(_ body: (UserDefaults) -> Result) -> Result {
        lock.withLock { body(defaults) }
    }
}
