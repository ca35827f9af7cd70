import KeychainMigration
import PlaintextFormats

/// What was taken out of one old store, run by run: enough to put it back, and no value.
///
/// It is kept as an item of the keychain, so that names and accounts are sealed, too.
/// - Source: Documentation/Spec/migration.md §6.
struct UndoRecord: Codable, Sendable, Equatable {
    /// Oldest first.
    var runs: [UndoRun] = []
    /// The runs that were undone, oldest first, with the items that the migration made and that are
    /// still in the keychain; missing for none.
    private(set) var returned: [UndoRun]?

    var isEmpty: Bool { runs.isEmpty && (returned ?? []).isEmpty }

    /// Keeps of a run that was undone what may be deleted later; nothing more of others.
    mutating func setReturned(_ runs: [UndoRun]) {
        let kept = runs.map { run in
            UndoRun(shape: run.shape, secrets: run.secrets.filter(\.isNew))
        }
        returned = kept.filter { !$0.secrets.isEmpty }
        if returned == [] { returned = nil }
    }
}

/// What one run took.
struct UndoRun: Codable, Sendable, Equatable {
    /// The shape of the store that the secrets came from.
    let shape: StoreShape
    /// In the order in which they were taken.
    let secrets: [TakenSecret]
}

/// What is to be known of a store to put secrets back.
struct StoreShape: Codable, Sendable, Equatable {
    /// The word that `--from` takes.
    let format: String
    /// The mode of the file; nil for what is none.
    var mode: UInt32?
    /// The SHA-256 of what was left of the file; nil where the format needs none.
    var rest: [UInt8]?
    /// The SHA-256 of what that means, for a format into which the command told the user to add
    /// something; nil for any other.
    var meaning: [UInt8]?
}

/// A secret that was taken.
struct TakenSecret: Codable, Sendable, Equatable {
    /// Its name in the old store.
    let key: String
    /// What people call it.
    let what: String
    /// The item that holds its value.
    let item: ItemAddress
    /// Whether the migration made the item.
    let isNew: Bool
    let origin: SecretOrigin
}

/// Where and how a secret stood in its store.
enum SecretOrigin: Codable, Sendable, Equatable {
    case text(RemovalTrace)
    case propertyList(PropertyListKind)
    case secretService(SecretServiceOrigin)
}

/// What an item of a Secret Service was, beside its value.
struct SecretServiceOrigin: Codable, Sendable, Equatable {
    let collection: String
    let label: String
    let attributes: [String: String]
    let contentType: String
}

/// An old store that can get back what was moved out of it.
protocol ReturnableSource: LegacySource {
    /// How the store and some of its secrets looked when the plan was made.
    ///
    /// One key may stand in the store several times.
    func shape(
        of keys: [String]
    ) throws(SourceFailure) -> (store: StoreShape, origins: [(key: String, origin: SecretOrigin)])
}
