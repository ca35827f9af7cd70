import KeychainMigration
import PlaintextFormats

/// A record of the secrets that were taken out of one old store, run by run, without their values.
///
/// It is an item of the keychain, so names and accounts are sealed, too.
/// - Source: Documentation/Spec/migration.md §6.
struct UndoRecord: Codable, Sendable, Equatable {
    /// The runs, oldest first.
    var runs: [UndoRun] = []
    /// The runs that were undone, oldest first, with their items that are still in the keychain;
    /// nil if there are none.
    private(set) var returned: [UndoRun]?

    var isEmpty: Bool { runs.isEmpty && (returned ?? []).isEmpty }

    /// Reduces undone runs to the items that may be deleted later.
    mutating func setReturned(_ runs: [UndoRun]) {
        let kept = runs.map { run in
            UndoRun(shape: run.shape, secrets: run.secrets.filter(\.isNew))
        }
        returned = kept.filter { !$0.secrets.isEmpty }
        if returned == [] { returned = nil }
    }
}

/// The secrets that one run took.
struct UndoRun: Codable, Sendable, Equatable {
    /// The shape of the store that the secrets came from.
    let shape: StoreShape
    /// The secrets, in the order of their removal.
    let secrets: [TakenSecret]
}

/// The facts about a store that putting secrets back requires.
struct StoreShape: Codable, Sendable, Equatable {
    /// The value of `--from`.
    let format: String
    /// The mode of the file; nil for a store that is not a file.
    var mode: UInt32?
    /// The SHA-256 digest of the rest of the file; nil if the format needs none.
    var rest: [UInt8]?
    /// The SHA-256 digest of the rest's meaning, for a format to which the command told the user to
    /// add something; nil for any other.
    var meaning: [UInt8]?
}

/// A secret that was taken.
struct TakenSecret: Codable, Sendable, Equatable {
    /// The secret's name in the old store.
    let key: String
    /// The user's name for the secret.
    let what: String
    /// The item that holds the value.
    let item: ItemAddress
    /// Whether the migration made the item.
    let isNew: Bool
    let origin: SecretOrigin
}

/// The place and form of a secret in its store.
enum SecretOrigin: Codable, Sendable, Equatable {
    case text(RemovalTrace)
    case propertyList(PropertyListKind)
    case secretService(SecretServiceOrigin)
}

/// The attributes of an item in a Secret Service, without its value.
struct SecretServiceOrigin: Codable, Sendable, Equatable {
    let collection: String
    let label: String
    let attributes: [String: String]
    let contentType: String
}

/// An old store into which moved secrets can be put back.
protocol ReturnableSource: LegacySource {
    /// Returns the shape of the store and of some secrets, as the plan found them.
    ///
    /// A key may occur several times in the store.
    func shape(
        of keys: [String]
    ) throws(SourceFailure) -> (store: StoreShape, origins: [(key: String, origin: SecretOrigin)])
}
