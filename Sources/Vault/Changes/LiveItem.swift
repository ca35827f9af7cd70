public import Observation

/// An item for user interfaces, whose reading stays up to date and can be observed by views.
///
/// ```swift
/// struct TokenView: View {
///     @State private var token = LiveItem<String, Password>(.refreshToken)
///
///     var body: some View {
///         switch token.reading {
///         case .value: Text("Signed in")
///         case .absent: Button("Sign in") { … }
///         case .failed(let error): Text(error.advice)
///         }
///     }
/// }
/// ```
///
/// It follows the changes of ``Vault/changes``. Call ``refresh()`` for everything else, such as the
/// unlock of the device or the return to the foreground.
@MainActor @Observable
public final class LiveItem<Value: Codable & Sendable, Item: SecretItem> {
    /// The content of the item at the last read.
    public private(set) var reading: Reading<Value>
    /// The item.
    @ObservationIgnored public let item: Item
    /// The vault that has the item.
    @ObservationIgnored public let vault: Vault
    @ObservationIgnored private var following: Following?

    /// Reads the item, and follows its changes until the object is released.
    public init(_ item: Item, vault: Vault = Vault()) {
        self.item = item
        self.vault = vault
        // The changes begin before the first reading, so none is missed.
        let changes = vault.changeCenter.changes(of: item.address)
        reading = Reading(item, in: vault)
        following = Following(
            Task { [weak self] in
                for await _ in changes {
                    guard let self else { return }
                    refresh()
                }
            }
        )
    }

    /// Reads the item again.
    public func refresh() { reading = Reading(item, in: vault) }

    /// Saves a value in the item.
    public func save(_ value: Value) throws(VaultError) {
        try vault.save(value, in: item)
        refresh()
    }

    /// Deletes the item.
    @discardableResult
    public func delete() throws(VaultError) -> Vault.Deletion {
        defer { refresh() }
        return try vault.delete(item)
    }
}

/// A task that ends with its owner.
private final class Following: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
}
