import Foundation
import KeychainCommand
import KeychainHost
import KeychainMigration
import KeychainModel
import SecretServiceClient

/// `keychainctl migrate`: moves secrets from plain text files into the keychain.
struct MigrateCommand: Sendable {
    /// The surroundings of a run; tests provide their own.
    struct Dependencies: Sendable {
        /// The home directory, which contains the well-known files.
        var home: String
        var keychain: any Keychain
        /// Opens the journal of each secret's progress.
        var journal: @Sendable () throws(KeychainError) -> any MigrationJournal
        /// Returns the folder in which only one migration runs at a time; nil for no such limit.
        var turnFolder: @Sendable () throws(KeychainError) -> String? = {
            () throws(KeychainError) in nil
        }
        /// Wraps each old store; tests use it to observe or interrupt changes.
        var between: @Sendable (any LegacySource) -> any LegacySource
        /// Connects to the desktop's Secret Service.
        var secretService: @Sendable () throws(SourceFailure) -> any SecretService
        /// Whether a keychain exists; a dry run makes none.
        var hasKeychain: @Sendable () -> Bool
        /// Whether the keychain is a simulated device, which ends with the program that serves it.
        var isSimulated = false
        /// Whether this process has an environment variable, so that programs can read it.
        var isVariableSet: @Sendable (String) -> Bool = { _ in false }
        /// The keychain that stores a Secret Service's attributes; nil if items lose them.
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

    /// The command for this process's home directory and keychain.
    static let ofThisProcess = MigrateCommand(dependencies(of: .current))

    /// Returns the home directory and the keychain of an environment.
    ///
    /// The journal is beside the keychain. It is removed when there is nothing left to resume.
    static func dependencies(of environment: ProcessEnvironment) -> Dependencies {
        let folder = { @Sendable () throws(KeychainError) -> String in
            let home = try KeychainHome(environment)
            // With a daemon, the folder may not exist yet.
            try home.prepareDirectory()
            return home.directory
        }
        var dependencies = Dependencies(
            home: environment["HOME"] ?? environment.accountHome ?? "/",
            journal: { () throws(KeychainError) in
                let file = URL(filePath: try folder()).appending(path: "migration.journal")
                return TemporaryJournal(FileJournal(file: file))
            },
            hasKeychain: { RequestRouter.absentDirectory(in: environment) == nil }
        )
        dependencies.isSimulated = environment["KEYCHAIN_SIM"] != nil
        if !dependencies.isSimulated {
            dependencies.turnFolder = { () throws(KeychainError) in try folder() }
        }
        dependencies.isVariableSet = { environment[$0] != nil }
        return dependencies
    }

    /// Moves secrets, or shows what would move, and reports each one.
    ///
    /// With `--undo`, moves them back.
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
        var isLook = arguments.has(.dryRun) || arguments.has(.keepOriginals)
        if dependencies.hasKeychain() || !arguments.has(.dryRun) && !arguments.has(.undo) {
            // Opens the keychain, so that the library finds the same one.
            _ = try context.status()
        } else {
            // A missing keychain holds nothing, and a look does not create it.
            dependencies.keychain = InMemoryKeychain()
            isLook = true
        }
        if arguments.has(.keepAttributes) {
            let lookups = LookupKeychain(dependencies.keychain)
            dependencies.lookups = lookups
            dependencies.keychain = lookups
        }
        guard !isLook, let folder = try turnFolder() else {
            return try run(dependencies, arguments, context)
        }
        try MigrationTurn.hold(in: folder) { () throws(CommandFailure) in
            try run(dependencies, arguments, context)
        }
    }

    private func turnFolder() throws(CommandFailure) -> String? {
        do throws(KeychainError) { return try dependencies.turnFolder() } catch {
            throw .keychain(error)
        }
    }

    private func run(
        _ dependencies: Dependencies,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
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

    /// Refuses options that do not go together.
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

/// A journal in a file that exists only while something may have to be resumed.
struct TemporaryJournal: MigrationJournal {
    private let journal: FileJournal

    init(_ journal: FileJournal) { self.journal = journal }

    func entries() throws(JournalFailure) -> [String: JournalEntry] { try journal.entries() }

    func record(_ entry: JournalEntry) throws(JournalFailure) { try journal.record(entry) }

    /// Removes the file, after every secret has reached its place.
    func remove() { unlink(journal.file.path) }
}

extension CompanionSecretService {
    /// Connects through the companion program in the same directory.
    convenience init(beside environment: ProcessEnvironment) throws(SourceFailure) {
        try self.init(environment.executableDirectory + "/" + Self.programName)
    }
}
