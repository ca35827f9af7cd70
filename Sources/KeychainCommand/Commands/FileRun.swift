import KeychainModel
import ProtectedFiles

/// One run of `file`: its arguments, and the outcome for each file.
final class FileRun {
    let arguments: Arguments
    let context: CommandContext
    /// The class that the verb `class` was given.
    let goal: FileClassWord?
    /// Descriptions of files for `--json`.
    var descriptions: [JSONValue] = []
    var changedCount = 0
    var unchangedCount = 0

    private let work: FileCommand.Work
    private let isSingle: Bool
    private var failures: [CommandFailure] = []
    private var count = 0

    init(
        _ arguments: Arguments,
        _ context: CommandContext,
        _ goal: FileClassWord?,
        isSingle: Bool,
        _ work: @escaping FileCommand.Work
    ) {
        self.arguments = arguments
        self.context = context
        self.goal = goal
        self.isSingle = isSingle
        self.work = work
    }

    /// Works on one path; reports a failure, and continues with other paths.
    ///
    /// - Throws: The failure of an only path, and any failure of usage.
    func attempt(_ path: String) throws(CommandFailure) {
        count += 1
        Leftovers.sweepOnce(beside: path)
        do throws(CommandFailure) { try work(path, self) } catch {
            guard !isSingle, !error.isAboutUsage else { throw error }
            try fail(error, of: path)
        }
    }

    /// Works on every protected file below a directory, by name; a skipped file counts as failed.
    func descend(_ directory: String) throws(CommandFailure) {
        try FileTree.walk(directory) { finding throws(CommandFailure) in
            switch finding {
            case .leftOut(_, let reason):
                count += 1
                try fail(.keychain(KeychainError(.io, reason)))
            case .file(let path, let identity):
                let result = FileIdentity.$expected.withValue(identity) {
                    Result { () throws(CommandFailure) in try attempt(path) }
                }
                try result.get()
            }
        }
    }

    private func fail(
        _ failure: CommandFailure,
        of path: String = ""
    ) throws(CommandFailure) {
        failures.append(failure)
        let message = failure.message
        try context.note(message.contains(path) ? message : "\(path): \(message)")
    }

    /// Ends the run.
    ///
    /// - Throws: The status of the first failure, with the number of failures.
    func finish() throws(CommandFailure) {
        guard let first = failures.first else { return }
        throw first.saying("\(failures.count) of \(max(count, failures.count)) files failed")
    }

    /// Returns a count of files, such as `1 file` or `2 files`.
    static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }
}

extension CommandFailure {
    /// Returns the same kind of failure with other words.
    fileprivate func saying(_ words: String) -> CommandFailure {
        switch self {
        case .keychain(let error): .keychain(KeychainError(error.status, words))
        case .unmet: .unmet(words)
        default: .input(words)
        }
    }
}

/// The name of a class on a command line.
enum FileClassWord: Equatable {
    case fileClass(FileClass)
    /// No class of its own: the class of the parent directory applies.
    case inherit

    /// Parses the word, in any letter case.
    ///
    /// - Throws: `usage` for an unknown word.
    init(_ word: String?) throws(CommandFailure) {
        let wanted = word?.lowercased() ?? ""
        if wanted == "inherit" {
            self = .inherit
            return
        }
        let found = zip(FileClass.allCases, Self.letters).first { fileClass, letter in
            [letter.lowercased(), fileClass.name.lowercased(), fileClass.appleName.lowercased()]
                .contains(wanted)
        }
        guard let found = found?.0 else {
            let problem = word == nil ? "missing" : "missing or invalid"
            throw .usage("\(problem) class: give \(Self.list), or inherit for a directory")
        }
        self = .fileClass(found)
    }

    private static let letters = ["A", "B", "C", "D"]

    private static var list: String {
        zip(FileClass.allCases, letters).map { "\($0.name) (\($1))" }.joined(separator: ", ")
    }

    /// Returns the class that `--class` names; nil without the option.
    ///
    /// - Throws: `usage` for an unknown class.
    static func option(_ arguments: Arguments) throws(CommandFailure) -> FileClass? {
        guard let word = arguments[.fileClass] else { return nil }
        guard case .fileClass(let fileClass) = try FileClassWord(word) else { return nil }
        return fileClass
    }
}
