import KeychainMessages
import KeychainModel
import ProtectedFiles

/// `file`: protected files on the command line.
enum FileCommand {
    /// The work of a verb on one path.
    typealias Work = @Sendable (String, FileRun) throws(CommandFailure) -> Void

    /// One verb.
    struct Verb: Sendable {
        let name: String
        /// Whether the first operand is the name of a class.
        var takesClass = false
        /// Whether the verb takes only one path.
        var takesOne = false
        /// The options of this verb, apart from those of every verb.
        var options: Set<CommandOption.Name> = []
        let run: Work
        /// The verb's last step, after all paths.
        var end: @Sendable (FileRun) throws(CommandFailure) -> Void = {
            _ throws(CommandFailure) in
        }

        fileprivate var synopsis: String { takesClass ? name + " class" : name }
    }

    /// ★ Table: the verbs, each for one path.
    static let verbs: [Verb] = [
        Verb(name: "protect", options: [.fileClass, .accessGroup], run: FileMaking.protect),
        Verb(name: "unprotect", options: [.recursive], run: FileMaking.unprotect),
        Verb(
            name: "write",
            takesOne: true,
            options: [.fileClass, .accessGroup, .allowEmpty],
            run: FileMaking.write
        ),
        Verb(name: "cat", run: FileReading.show),
        Verb(name: "edit", takesOne: true, run: FileEditing.run),
        Verb(
            name: "check",
            options: [.recursive],
            run: FileReading.check,
            end: FileReading.endCheck
        ),
        Verb(name: "class", takesClass: true, options: [.recursive], run: FileKeeping.classify),
        Verb(
            name: "rewrap",
            options: [.recursive],
            run: FileKeeping.rewrap,
            end: FileKeeping.endRewrap
        ),
        Verb(name: "status", options: [.json], run: FileReport.run, end: FileReport.end),
        Verb(name: "remove", run: FileKeeping.remove),
    ]

    /// The operands in the usage line.
    static var synopsis: String { verbs.map(\.synopsis).joined(separator: "|") + " file" }

    /// ★ Table: the options that only some verbs take.
    private static let options: [(CommandOption.Name, String)] = [
        (.fileClass, "--class"), (.accessGroup, "--access-group"), (.json, "--json"),
        (.recursive, "--recursive"), (.allowEmpty, "--allow-empty"),
    ]

    /// Carries a verb out for each path.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var paths = arguments.operands[...]
        guard let word = paths.popFirst(), let verb = verbs.first(where: { $0.name == word }) else {
            let names = verbs.map(\.name).joined(separator: ", ")
            throw .usage("missing or invalid verb: give one of \(names)")
        }
        for (option, spelling) in options
        where arguments.has(option) && !verb.options.contains(option) {
            let takers = verbs.filter { $0.options.contains(option) }.map { "file \($0.name)" }
            throw .usage("option \(spelling) is for \(takers.joined(separator: " and "))")
        }
        let goal = verb.takesClass ? try FileClassWord(paths.popFirst()) : nil
        guard !paths.isEmpty else { throw .usage("missing argument: file") }
        guard !verb.takesOne || paths.count == 1 else {
            throw .usage("too many arguments: give one file")
        }
        let isRecursive = arguments.has(.recursive)
        let isSingle = paths.count == 1 && !isRecursive
        let run = FileRun(arguments, context, goal, isSingle: isSingle, verb.run)
        for path in paths {
            let isDirectory = RealPath.isDirectory(path)
            // A directory records its class, too.
            if !isRecursive || !isDirectory || verb.takesClass { try run.attempt(path) }
            if isRecursive, isDirectory { try run.descend(path) }
        }
        try verb.end(run)
        try run.finish()
    }
}
