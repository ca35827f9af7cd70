import Foundation
import KeychainMigration

/// The move of a token from a settings file into the keychain.
struct TokenMove {
    let settings: URL
    let folder: URL
    let token = ItemAddress.genericPassword(service: "api", account: "token")

    private var copies: RollbackStore {
        RollbackStore(folder: folder.appending(path: "copies"))
    }

    func run(isDryRun: Bool = false) async -> MigrationReport {
        let isOpen = await SystemProtectedData().isAvailable()
        let old = PropertyListSource(
            file: PlainFile(settings),
            trust: { isOpen ? .trusted : .protectedDataUnavailable }
        )
        let mover = Mover(
            journal: FileJournal(file: folder.appending(path: "journal")),
            retention: .encryptedRollback(days: 30),
            rollback: copies
        )
        let moves = [Move("session.token", from: old, to: token)]
        return mover.run(moves, isDryRun: isDryRun)
    }

    /// The token that the move deleted, for a return to the old version of the app.
    func original() throws -> String? {
        guard let copy = try copies.origins().first else { return nil }
        let value = try copies.value(of: copy.id)
        return value.map { String(decoding: $0.copyBytesUnprotected(), as: UTF8.self) }
    }
}
