import KeychainMigration
import KeychainModel

/// How putting one secret back ended.
enum UndoOutcome: Equatable {
    /// It is in the old store again.
    case writtenBack
    /// A dry run: it would be written back.
    case planned
    /// The old store has it already.
    case alreadyThere
    /// Somebody changed the old store since, in this way.
    case changed(String)
    /// The old store has no place for it any more, so that it is in a new file of this name.
    case setAside(String)
    /// It was written back once, and is not in the old store now.
    case onlyInKeychain
    /// The keychain does not hold it any more.
    case missing
    /// It failed, for this reason and with this status.
    case failed(String, SecurityStatus)

    /// Whether nothing remains to be done for the secret.
    var isSettled: Bool {
        switch self {
        case .writtenBack, .alreadyThere, .planned, .setAside: true
        case .changed, .onlyInKeychain, .missing, .failed: false
        }
    }

    /// Whether the old store holds it, so that the keychain's item may go.
    var isInStore: Bool { self == .writtenBack || self == .alreadyThere || self == .planned }

    /// What is said of a secret that the changed store has no place for.
    static let noPlace = failed(
        "there is no place for it in the file as it is now",
        .duplicateItem
    )

    /// What is said of a record that makes no sense.
    static let damagedRecord = failed("its record is damaged", .decode)

    static func failed(_ failure: SourceFailure) -> UndoOutcome {
        failed(failure.description, failure.status)
    }

    /// One word for programs.
    var word: String {
        switch self {
        case .writtenBack: "writtenBack"
        case .planned: "planned"
        case .alreadyThere: "alreadyThere"
        case .changed: "changed"
        case .setAside: "setAside"
        case .onlyInKeychain: "onlyInKeychain"
        case .missing: "missing"
        case .failed: "failed"
        }
    }

    /// A few words for people.
    var words: String {
        switch self {
        case .writtenBack: "written back"
        case .planned: "would be written back"
        case .alreadyThere: "already there"
        case .changed(let what): "changed since: \(what); --force writes it back anyway"
        case .setAside(let name): "written to \(name): the file no longer has a place for it"
        case .onlyInKeychain:
            "the old store no longer has this value, so the item stays in the keychain"
        case .missing: "the keychain no longer has it"
        case .failed(let reason, _): "failed: \(reason)"
        }
    }

    /// The status that the command ends with.
    var status: SecurityStatus {
        switch self {
        case .changed: .duplicateItem
        case .missing, .onlyInKeychain: .itemNotFound
        case .failed(_, let status): status
        case .writtenBack, .planned, .alreadyThere, .setAside: .success
        }
    }
}

/// A value that is to go back, and the remark that goes with it.
struct ReturnedValue {
    let secret: SecretBytes
    let remark: String?

    /// nil for an item without a value.
    init?(_ item: KeychainItem) {
        guard let value = item.value else { return nil }
        secret = value
        if case .text(let text)? = item.attributes[.comment] { remark = text } else { remark = nil }
    }
}

/// The secrets to write back into one old store.
struct UndoRequest {
    /// The path of a file, or the name of a service.
    let place: String
    let run: UndoRun
    /// By key; what the keychain holds no more is missing.
    let values: [String: ReturnedValue]
    /// Whether what somebody changed since gives way.
    let isForced: Bool
    let isDryRun: Bool
    /// Whether a later run was just put back, so that nobody changed the store since.
    let followsLaterRun: Bool

    /// The same outcome for every secret.
    func all(_ outcome: UndoOutcome) -> [UndoOutcome] { run.secrets.map { _ in outcome } }

    /// What a secret that can go back is said to have become.
    var done: UndoOutcome { isDryRun ? .planned : .writtenBack }
}
