import KeychainMessages
import KeychainModel
import ProtectedFiles
import Secrets

/// `file`: protected files at the terminal.
enum FileCommand {
    typealias Work = (String, Arguments, CommandContext) throws(CommandFailure) -> Void

    /// One verb.
    struct Verb: Sendable {
        let name: String
        /// Whether the first operand is the name of a class.
        var takesClass = false
        let run: @Sendable (String, Arguments, CommandContext) throws(CommandFailure) -> Void
    }

    /// ★ Table: the verbs, each for one path.
    static let verbs: [Verb] = [
        Verb(name: "protect", run: protect),
        Verb(name: "write", run: write),
        Verb(name: "cat", run: show),
        Verb(name: "edit", run: FileEditing.run),
        Verb(name: "class", takesClass: true, run: classify),
        Verb(name: "rewrap", run: rewrap),
        Verb(name: "status", run: FileReport.run),
        Verb(name: "remove", run: remove),
    ]

    static var synopsis: String { verbs.map(\.name).joined(separator: "|") + " file" }

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
        guard !arguments.has(.fileClass) || ["protect", "write"].contains(word) else {
            throw .usage("option --class is for file protect and file write")
        }
        guard !arguments.has(.accessGroup) || ["protect", "write"].contains(word) else {
            throw .usage("option --access-group is for file protect and file write")
        }
        guard !arguments.has(.json) || word == "status" else {
            throw .usage("option --json is for file status")
        }
        if verb.takesClass { _ = try statedClass(paths.popFirst()) }
        guard !paths.isEmpty else { throw .usage("missing argument: file") }
        guard !["edit", "write"].contains(word) || paths.count == 1 else {
            throw .usage("too many arguments: give one file")
        }
        for path in paths { try verb.run(path, arguments, context) }
    }

    /// The class of a word; nil without a word.
    private static func statedClass(_ word: String?) throws(CommandFailure) -> FileClass {
        let wanted = word?.lowercased() ?? ""
        let found = zip(FileClass.allCases, ["a", "b", "c", "d"]).first { fileClass, letter in
            wanted == letter || wanted == fileClass.name.lowercased()
        }
        guard let found = found?.0 else {
            let names = FileClass.allCases.map(\.name).joined(separator: ", ")
            throw .usage("missing or invalid class: give one of \(names)")
        }
        return found
    }

    private static func option(_ arguments: Arguments) throws(CommandFailure) -> FileClass? {
        guard let word = arguments[.fileClass] else { return nil }
        return try statedClass(word)
    }

    @Sendable private static func protect(
        _ path: String,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let fileClass = try option(arguments)
        guard !FileContainer.isProtected(path) else {
            throw .input("\(path) is protected already; run keychainctl file class")
        }
        let (group, source) = (arguments[.accessGroup], try context.fileKeys())
        try context.filing { () throws(FileFailure) in
            try PlainFile.protect(path, fileClass, group: group, source)
        }
        try context.note(
            "\(path) is protected; blocks of the plain file may remain on the disk, and so do "
                + "copies"
        )
    }

    @Sendable private static func write(
        _ path: String,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let fileClass = try option(arguments)
        guard !context.terminal.inputIsTerminal else {
            throw .usage("nothing to write: give the content on standard input")
        }
        let target = RealPath.of(path)
        // It stays open, so that nobody else writes to it meanwhile.
        let replaced = try context.filing { () throws(FileFailure) in
            try FileContainer.replaced(target, try context.source())
        }
        let file = try context.filing { () throws(FileFailure) in
            try NewFile(
                target,
                fileClass ?? replaced?.fileClass,
                group: arguments[.accessGroup] ?? replaced?.group,
                replacing: target,
                try context.source()
            )
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        defer { buffer.wipe() }
        var offset = 0
        while true {
            let count = try CommandFailure.wrapping(try context.terminal.fill(&buffer))
            guard count > 0 else { break }
            try context.filing { () throws(FileFailure) in
                try buffer.lend(count) { bytes throws(FileFailure) in
                    try file.container.write(bytes, at: offset)
                }
            }
            offset += count
        }
        try context.filing { () throws(FileFailure) in
            try file.publish(replacing: true)
            try replaced?.close()
        }
    }

    @Sendable private static func show(
        _ path: String,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let file = try context.open(path, isWritable: false)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        defer { buffer.wipe() }
        var offset = 0
        while offset < file.byteCount {
            let count = try context.filing { () throws(FileFailure) in
                try buffer.lendMutably { bytes throws(FileFailure) in
                    try file.read(into: bytes, at: offset)
                }
            }
            try context.show(buffer, count)
            guard context.terminal.outputIsRead else { return }
            offset += count
        }
    }

    @Sendable private static func classify(
        _ path: String,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let fileClass = try statedClass(arguments.operands[1])
        if RealPath.isDirectory(path) {
            return try context.filing { () throws(FileFailure) in
                try DirectoryClass.set(fileClass, of: path)
            }
        }
        let file = try context.open(path, isWritable: true)
        try context.filing { () throws(FileFailure) in
            try file.move(to: fileClass)
            try file.close()
        }
    }

    @Sendable private static func rewrap(
        _ path: String,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let file = try context.open(path, isWritable: true)
        try context.filing { () throws(FileFailure) in
            try file.move(to: file.fileClass)
            try file.close()
        }
    }

    @Sendable private static func remove(
        _ path: String,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        try context.filing { () throws(FileFailure) in try FileDestruction.remove(path) }
    }
}
