import Foundation
import KeychainMigration
import KeychainModel

/// The outcome of putting one secret back.
enum UndoOutcome: Equatable {
    /// The secret is in the old store again.
    case writtenBack
    /// In a dry run: the secret would be written back.
    case planned
    /// The old store has the secret already.
    case alreadyThere
    /// The old store has changed since then, in this way.
    case changed(String)
    /// The old store no longer has a place for the secret, so it is in a new file with this name.
    case setAside(String)
    /// The secret was written back earlier, and is not in the old store now.
    case onlyInKeychain
    /// The keychain no longer holds the secret.
    case missing
    /// The attempt failed for this reason, with this status.
    case failed(String, SecurityStatus)

    /// Whether nothing remains to do for the secret.
    var isSettled: Bool {
        switch self {
        case .writtenBack, .alreadyThere, .planned, .setAside: true
        case .changed, .onlyInKeychain, .missing, .failed: false
        }
    }

    /// Whether the old store holds the secret, so that the keychain's item may be deleted.
    var isInStore: Bool { self == .writtenBack || self == .alreadyThere || self == .planned }

    /// The outcome for a secret without a place in the changed store.
    static let noPlace = failed(
        "there is no place for it in the file as it is now",
        .duplicateItem
    )

    /// The outcome for a malformed record.
    static let damagedRecord = failed("its record is damaged", .decode)

    static func failed(_ failure: SourceFailure) -> UndoOutcome {
        failed(failure.description, failure.status)
    }

    /// The outcome as one word, for JSON.
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

    /// The outcome in a few words.
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

    /// The status with which the command ends.
    var status: SecurityStatus {
        switch self {
        case .changed: .duplicateItem
        case .missing, .onlyInKeychain: .itemNotFound
        case .failed(_, let status): status
        case .writtenBack, .planned, .alreadyThere, .setAside: .success
        }
    }
}

/// A value to put back, with its remark.
struct ReturnedValue {
    let secret: SecretBytes
    let remark: String?

    /// Takes the value of an item; nil if it has none.
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
    /// The values by key; those that the keychain no longer holds are missing.
    let values: [String: ReturnedValue]
    /// Whether changes that were made since then are overwritten.
    let isForced: Bool
    let isDryRun: Bool
    /// Whether a later run was just put back, so that the store's changes are its own.
    let followsLaterRun: Bool

    /// Whether the file now has rights that it did not have when the secrets were taken.
    var hasMoreRights: Bool {
        var status = stat()
        guard let mode = run.shape.mode, lstat(place, &status) == 0 else { return false }
        return UInt32(status.st_mode) & 0o7777 & ~mode != 0
    }

    /// Returns the same outcome for every secret.
    func all(_ outcome: UndoOutcome) -> [UndoOutcome] { run.secrets.map { _ in outcome } }

    /// The outcome of a secret that can be put back.
    var done: UndoOutcome { isDryRun ? .planned : .writtenBack }
}
