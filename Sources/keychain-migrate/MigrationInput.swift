import Foundation
import KeychainCommand
import KeychainMigration
import PlaintextFormats

/// One old store: a file in some format, or a service of the desktop.
enum MigrationInput {
    /// A text file, which the user named or which was found in the home directory.
    case text(path: String, PlaintextFormat, isNamed: Bool)
    case propertyList(path: String)
    case secretService
    /// A file that only its own program can read.
    case unhandled(path: String, UnhandledStore)

    /// The values of `--from`.
    static var formats: [String] { ChoiceTable.migrationFormats }

    /// Returns the stores that the arguments name; without any, the existing well-known files.
    ///
    /// - Throws: `CommandFailure.usage` for a file whose name reveals no format.
    static func all(
        of arguments: Arguments,
        home: String
    ) throws(CommandFailure) -> [MigrationInput] {
        let format = arguments[.from]
        if let format, !formats.contains(format) {
            throw .usage("--from accepts one of \(formats.joined(separator: ", "))")
        }
        if format == "secret-service" { return [.secretService] }
        guard !arguments.operands.isEmpty else {
            guard format == nil else { throw .usage("--from needs a file") }
            return wellKnown(in: home)
        }
        var inputs: [MigrationInput] = []
        var known = Set<String>()
        for path in arguments.operands where known.insert(ResolvedPath.file(path)).inserted {
            inputs += try input(path, format)
        }
        return inputs
    }

    /// Returns the existing well-known files.
    ///
    /// Includes links and files of others, so that the report names them.
    private static func wellKnown(in home: String) -> [MigrationInput] {
        var handled: [MigrationInput] = []
        for format in PlaintextFormat.all {
            let paths = [format.customaryPath].compactMap { $0 } + format.furtherPaths
            for path in paths.map({ home + "/" + $0 }) where isThere(path) {
                handled.append(.text(path: ResolvedPath.file(path), format, isNamed: false))
            }
        }
        let unhandled: [MigrationInput] = UnhandledStore.all.compactMap { store in
            let path = home + "/" + store.path
            return isThere(path) ? .unhandled(path: path, store) : nil
        }
        return handled + unhandled
    }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func input(
        _ path: String,
        _ format: String?
    ) throws(CommandFailure) -> [MigrationInput] {
        let absolute = ResolvedPath.file(path)
        if let format = format.flatMap(PlaintextFormat.named) {
            return [.text(path: absolute, format, isNamed: true)]
        }
        if format == "plist" { return [.propertyList(path: absolute)] }
        if format == nil, isThere(absolute), let store = UnhandledStore.at(absolute) {
            return [.unhandled(path: absolute, store)]
        }
        let preferences = absolute + "/Library/Preferences"
        if format == "container" || isFolder(preferences) {
            return try propertyLists(in: preferences)
        }
        let name = absolute.split(separator: "/").last.map(String.init) ?? absolute
        if name.hasSuffix(".plist") { return [.propertyList(path: absolute)] }
        guard let known = PlaintextFormat.ofFile(at: absolute) else {
            throw .usage("the name \(name) belongs to no known format: add --from format")
        }
        return [.text(path: absolute, known, isNamed: true)]
    }

    /// Returns the defaults of an app, by the names of its property lists.
    private static func propertyLists(
        in folder: String
    ) throws(CommandFailure) -> [MigrationInput] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .usage("there is no Library/Preferences in the container")
        }
        return names.filter { $0.hasSuffix(".plist") }.sorted()
            .map { .propertyList(path: ResolvedPath.file(folder + "/" + $0)) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// Returns the plan for every secret of the store.
    func plan(
        _ dependencies: MigrateCommand.Dependencies,
        _ arguments: Arguments
    ) -> [PlannedSecret] {
        switch self {
        case .text(let path, let format, let isNamed):
            TextPlan(path: path, format: format, isNamed: isNamed, dependencies, arguments).secrets
        case .propertyList(let path):
            PropertyListPlan(path: path, dependencies, arguments).secrets
        case .secretService:
            SecretServicePlan(dependencies, arguments).secrets
        case .unhandled(let path, let store):
            [.notHandled(path, because: store.reason)]
        }
    }
}
