import Foundation
import KeychainCommand
import KeychainHost
import KeychainMigration
import KeychainModel
import SecretServiceClient

/// `keychainctl migrate`: moves what lies in plain text files into the keychain.
struct MigrateCommand: Sendable {
    /// What a run works with; tests give their own.
    struct Dependencies: Sendable {
        /// Where the well-known files lie.
        var home: String
        var keychain: any Keychain
        /// Makes the journal of how far each secret has come.
        var journal: @Sendable () throws(KeychainError) -> any MigrationJournal
        /// Comes between the mover and a file, where a test wants to see or stop its changes.
        var between: @Sendable (any LegacySource) -> any LegacySource
        /// Connects to the desktop's store of passwords.
        var secretService: @Sendable () throws(SourceFailure) -> any SecretService
        /// Whether there is a keychain; a dry run makes none.
        var hasKeychain: @Sendable () -> Bool
        /// Whether the keychain is a simulated device, which ends with the program that serves it.
        var isSimulated = false
        /// Whether a variable is set for this process, so that programs may read it.
        var isVariableSet: @Sendable (String) -> Bool = { _ in false }
        /// Which attributes items of a Secret Service keep; nil for none.
        var lookups: LookupKeychain?

        init(
            home: String,
            keychain: any Keychain = ServicesKeychain(),
            journal: @escaping @Sendable () throws(KeychainError) -> any MigrationJournal,
            between: @escaping @Sendable (any LegacySource) -> any LegacySource = { $0 },
            secretService: @escaping @Sendable () throws(SourceFailure) -> any SecretService = {
                () throws(SourceFailure) in try CompanionSecretService(beside: .current)
            },
            hasKeychain: @escaping @Sendable () -> Bool = { true }
        ) {
            self.home = home
            self.keychain = keychain
            self.journal = journal
            self.between = between
            self.secretService = secretService
            self.hasKeychain = hasKeychain
        }
    }

    private let dependencies: Dependencies

    init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// The command for the home directory and the keychain of this process.
    static let ofThisProcess = MigrateCommand(dependencies(of: .current))

    /// The home directory and the keychain of an environment.
    ///
    /// The journal lies beside the keychain, and is gone when nothing remains to be resumed.
    static func dependencies(of environment: ProcessEnvironment) -> Dependencies {
        var dependencies = Dependencies(
            home: environment["HOME"] ?? environment.accountHome ?? "/",
            journal: { () throws(KeychainError) in
                let home = try KeychainHome(environment)
                // A daemon may have the keychain, so that nothing has made the folder yet.
                try home.prepareDirectory()
                let file = URL(filePath: home.directory).appending(path: "migration.journal")
                return TemporaryJournal(FileJournal(file: file))
            },
            hasKeychain: { RequestRouter.absentDirectory(in: environment) == nil }
        )
        dependencies.isSimulated = environment["KEYCHAIN_SIM"] != nil
        dependencies.isVariableSet = { environment[$0] != nil }
        return dependencies
    }

    /// Finds what is to move, moves it or says what would, and reports each secret; or undoes that.
    @Sendable func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        try Self.check(arguments)
        let harmless: [CommandOption.Name] = [.keepOriginals, .dryRun, .undo]
        guard !dependencies.isSimulated || harmless.contains(where: arguments.has) else {
            throw .usage("a simulated device loses everything when it ends: copy with --keep")
        }
        var dependencies = dependencies
        dependencies.home = ResolvedPath.folder(dependencies.home)
        if dependencies.hasKeychain() || !arguments.has(.dryRun) && !arguments.has(.undo) {
            // Opens the keychain, so that the toolkit finds the same one.
            _ = try context.status()
        } else {
            // What is not there holds nothing, and is not made for a look.
            dependencies.keychain = InMemoryKeychain()
        }
        if arguments.has(.keepAttributes) {
            let lookups = LookupKeychain(dependencies.keychain)
            dependencies.lookups = lookups
            dependencies.keychain = lookups
        }
        if arguments.has(.undo) {
            return try UndoCommand(dependencies: dependencies, arguments: arguments).run(context)
        }
        let inputs = try MigrationInput.all(of: arguments, home: dependencies.home)
        let plans = inputs.flatMap { $0.plan(dependencies, arguments) }
        let run = MigrationRun(plans: plans, dependencies: dependencies, arguments: arguments)
        let report = try run.carryOut(context)
        let output = MigrationOutput(plans: plans, report: report, home: dependencies.home)
        try context.print(arguments.has(.json) ? output.json.page : output.page)
        for sentence in output.advice { try context.note(sentence) }
        if let failure = output.failure { throw failure }
    }

    /// Options that mean nothing together.
    private static func check(_ arguments: Arguments) throws(CommandFailure) {
        let forward: [(CommandOption.Name, String)] = [
            (.keepOriginals, "--keep"), (.everything, "--all"), (.service, "--service"),
            (.thisDeviceOnly, "--this-device-only"), (.keepAttributes, "--keep-attributes"),
        ]
        let backward: [(CommandOption.Name, String)] = [
            (.force, "--force"), (.deleteItems, "--delete-items"),
        ]
        let isUndo = arguments.has(.undo)
        if isUndo, let store = arguments[.from], store != SecretServiceSource.storeName {
            throw .usage("with --undo, --from accepts only \(SecretServiceSource.storeName)")
        }
        for (name, spelling) in isUndo ? forward : backward where arguments.has(name) {
            throw .usage("\(spelling) has no effect \(isUndo ? "with" : "without") --undo")
        }
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

extension CompanionSecretService {
    /// The one that the program beside this one talks to.
    convenience init(beside environment: ProcessEnvironment) throws(SourceFailure) {
        try self.init(environment.executableDirectory + "/" + Self.programName)
    }
}
