import Foundation

/// A property that is an item of the keychain.
///
/// ```swift
/// struct Account {
///     @Stored(.refreshToken) var token: Reading<String>
/// }
///
/// switch account.token {
/// case .value(let token): use(token)
/// case .absent: showLogin()
/// case .failed(let error): log(error)  // locked, for example: not a logout
/// }
/// try account.$token.save("t0ken")
/// ```
///
/// The getter of a property cannot throw. So the property is a ``Reading``, which contains the
/// error if there is no value. Every access reads the keychain and never prompts. To write, use the
/// projected value.
@propertyWrapper
public struct Stored<Value: Codable & Sendable, Item: SecretItem>: Sendable {
    /// The item.
    public let item: Item
    /// The vault that has the item.
    public let vault: Vault

    /// Creates a property for an item.
    public init(_ item: Item, vault: Vault = Vault()) {
        self.item = item
        self.vault = vault
    }

    /// The present content of the item.
    public var wrappedValue: Reading<Value> { Reading(item, in: vault) }

    /// The property itself, which saves, reads and deletes.
    public var projectedValue: Stored { self }

    /// Saves a value in the item.
    public func save(_ value: Value) throws(VaultError) { try vault.save(value, in: item) }

    /// Returns the value, or nil if there is no such item.
    public func read() throws(VaultError) -> Value? { try vault.read(item) }

    /// Deletes the item.
    @discardableResult
    public func delete() throws(VaultError) -> Vault.Deletion { try vault.delete(item) }
}

extension Stored where Item == Password {
    /// Creates a property for the password of a service and an account.
    public init(
        service: String,
        account: String,
        protection: Protection = .afterFirstUnlockThisDeviceOnly
    ) {
        self.init(Password(service: service, account: account, protection: protection))
    }
}

/// The result of reading an item.
///
/// ```swift
/// if case .failed(let error) = account.token, error.reason == .locked { waitForUnlock() }
/// ```
public enum Reading<Value: Sendable>: Sendable {
    /// The value.
    case value(Value)
    /// There is no such item.
    case absent
    /// The item cannot be read now, for the reason that the error names.
    case failed(VaultError)
}

extension Reading: Equatable where Value: Equatable {}
extension Reading: Hashable where Value: Hashable {}

/// Hides the value in logs, crash reports and dumps.
extension Reading: CustomStringConvertible, CustomReflectable {
    /// The kind of the result, without the value.
    public var description: String {
        switch self {
        case .value: "value (hidden)"
        case .absent: "absent"
        case .failed(let error): "failed: \(error)"
        }
    }

    /// A mirror without children, so that `dump` does not show the value either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Reading where Value: Decodable {
    init(_ item: some SecretItem, in vault: Vault) {
        do throws(VaultError) {
            self = try vault.read(item, as: Value.self).map(Reading.value) ?? .absent
        } catch {
            self = .failed(error)
        }
    }
}
