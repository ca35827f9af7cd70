import Foundation
import KeychainCommand
import KeychainHost
import KeychainMigration
import KeychainModel

/// `keychain migrate`: moves what lies in plain text files into the keychain.
package struct MigrateCommand: Sendable {
    /// What a run works with; tests give their own.
    package struct Surroundings: Sendable {
        /// Where the well-known files lie.
        package var home: String
        package var keychain: any Keychain
        /// Makes the journal of how far each secret has come.
        package var journal: @Sendable () throws(KeychainError) -> any MigrationJournal
        /// Comes between the mover and a file, where a test wants to see or stop its changes.
        package var between: @Sendable (any LegacySource) -> any LegacySource
        package var secretTool: String

        package init(
            home: String,
            keychain: any Keychain = ServicesKeychain(),
            journal: @escaping @Sendable () throws(KeychainError) -> any MigrationJournal,
            between: @escaping @Sendable (any LegacySource) -> any LegacySource = { $0 },
            secretTool: String = "secret-tool"
        ) {
            self.home = home
            self.keychain = keychain
            self.journal = journal
            self.between = between
            self.secretTool = secretTool
        }
    }

    private let surroundings: Surroundings

    package init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// The home directory and the keychain of this process.
    ///
    /// The journal lies beside the keychain, and is gone when nothing remains to be resumed.
    package static let ofThisProcess = MigrateCommand(
        Surroundings(
            home: ProcessEnvironment.current["HOME"] ?? "/",
            journal: { () throws(KeychainError) in
                let home = try KeychainHome(ProcessEnvironment.current)
                let file = URL(filePath: home.directory).appending(path: "migration.journal")
                return TemporaryJournal(FileJournal(file: file))
            }
        )
    )

    /// Finds what is to move, moves it or says what would, and reports each secret.
    @Sendable package func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        // Opens the keychain, so that the toolkit finds the same one.
        _ = try context.status()
        let inputs = try MigrationInput.all(of: arguments, home: surroundings.home)
        let plans = inputs.flatMap { $0.plan(surroundings, arguments) }
        let report = try move(plans, arguments, context)
        let output = MigrationOutput(plans: plans, report: report, home: surroundings.home)
        try context.print(arguments.has(.json) ? output.json.page : output.page)
        for sentence in output.advice { try context.note(sentence) }
        if let failure = output.failure { throw failure }
    }

    private func move(
        _ plans: [PlannedSecret],
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> MigrationReport {
        let isCopy = arguments.has(.keepOriginals)
        let isDryRun = arguments.has(.dryRun)
        let journal: any MigrationJournal
        do throws(KeychainError) {
            journal = isCopy || isDryRun ? InMemoryJournal() : try surroundings.journal()
        } catch {
            throw .keychain(error)
        }
        let mover = Mover(
            keychain: surroundings.keychain,
            journal: journal,
            retention: isCopy ? .keepPlaintext(days: 0) : .deleteAfterVerify
        )
        let progress = ProgressLine("migrate", on: context)
        defer { progress.clear() }
        let report = mover.run(plans.compactMap(\.move), isDryRun: isDryRun) { _, done, _ in
            progress.show(done)
        }
        if report.isComplete { (journal as? TemporaryJournal)?.remove() }
        return report
    }
}

/// A journal in a file that is there only as long as something may have to be resumed.
struct TemporaryJournal: MigrationJournal {
    private let journal: FileJournal

    init(_ journal: FileJournal) { self.journal = journal }

    func entries() throws(JournalFailure) -> [String: JournalEntry] { try journal.entries() }

    func record(_ entry: JournalEntry) throws(JournalFailure) { try journal.record(entry) }

    /// Every secret is where it belongs; what the file says is no longer needed.
    func remove() { unlink(journal.file.path) }
}
