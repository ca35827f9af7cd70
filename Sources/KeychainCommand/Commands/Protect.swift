import Glibc
import KeychainModel
import ProgramStart

// Laws  (1) A program that its account can replace, or that runs commands from others, is never
//           protected: whoever replaces or commands it would get the group.
//       (2) The file that was examined is the file that is changed.

/// `protect`.
enum Protect {
    /// Makes a program set-group-ID to the group of protected programs, or undoes that.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let undoes = arguments.has(.undo)
        let path = arguments.operands[0]
        guard path.hasPrefix("/") else {
            throw .usage(
                "give the absolute path of a program; for a document, run keychainctl file protect"
            )
        }
        guard geteuid() == 0 else {
            let line = "sudo keychainctl protect \(undoes ? "--undo " : "")\(path)"
            let reason = "only root can change who a program runs as; run: \(line)"
            throw .keychain(KeychainError(.writePermission, reason))
        }
        let group = try ProtectedFile.clientGroup()
        let file = try ProtectedFile(path)
        if file.path != path { try context.note("\(path) is a link to \(file.path)") }
        let wasProtected = file.hasBit(of: group)
        let tool: Tool
        if undoes {
            guard wasProtected else { throw .input("\(file.path) is not protected") }
            tool = try release(file)
        } else {
            if let problem = file.problem(group: group) { throw .input(problem) }
            tool = wasProtected ? .none : try protect(file, group)
        }
        try report(file, tool, isProtected: !undoes, arguments, context)
    }

    /// The tool that changed the file.
    private enum Tool: String {
        case override = "dpkg-statoverride"
        case mode = "chmod"
        case none
    }

    private static func protect(
        _ file: ProtectedFile,
        _ group: UInt32
    ) throws(CommandFailure) -> Tool {
        let mode = file.mode & 0o755 | 0o2010
        guard let override = StatOverride.tool else {
            try file.set(group: group, mode: mode)
            return .mode
        }
        // An existing override names another owner or mode; otherwise the file would be protected.
        if override.knows(file.path) { try override.run(["--remove", file.path]) }
        let name = ProtectedFile.groupName
        try override.run(["--update", "--add", "root", name, String(mode, radix: 8), file.path])
        guard try ProtectedFile(file.path).hasBit(of: group) else {
            throw .unmet("\(override.path) did not change \(file.path)")
        }
        return .override
    }

    private static func release(_ file: ProtectedFile) throws(CommandFailure) -> Tool {
        var tool = Tool.mode
        if let override = StatOverride.tool, override.knows(file.path) {
            try override.run(["--remove", file.path])
            tool = .override
        }
        try file.set(group: 0, mode: file.mode & 0o755)
        return tool
    }

    // MARK: Reports

    private static func report(
        _ file: ProtectedFile,
        _ tool: Tool,
        isProtected: Bool,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let changes = tool != .none
        guard !arguments.has(.json) else {
            let page = JSONValue.object([
                "program": .text(file.path),
                "protected": .flag(isProtected),
                "changed": .flag(changes),
                "changedBy": changes ? .text(tool.rawValue) : .null,
                "group": .text(ProtectedFile.groupName),
            ]).page
            return try context.print(page)
        }
        guard isProtected else {
            return try context.print(line: "\(file.path) is not protected any more")
        }
        try context.print(line: "\(file.path) is \(changes ? "now" : "already") protected")
        if tool == .mode {
            try context.note("an update of the program may undo this; then run the command again")
        }
        try context.print(line: "Programs that run already are not. Start them again.")
        try context.print(
            line: "The system daemon gives it the group path:\(file.path). For other groups, write"
        )
        let name = file.path.split(separator: "/").last ?? "program"
        try context.print(line: "/etc/keychain/programs.d/\(name).json:")
        let policy = JSONValue.object([
            "program": .text(file.path), "level": .text("verified"),
            "accessGroups": .list([.text("mail")]),
        ])
        try context.print(policy.page)
    }
}

/// dpkg's list of owners and modes that an administrator chose; updates of a package keep them.
struct StatOverride {
    let path: String

    /// The path of the program; nil on a machine without dpkg.
    static var tool: StatOverride? {
        let paths = ["/usr/bin/dpkg-statoverride", "/usr/sbin/dpkg-statoverride"]
        return paths.first { access($0, X_OK) == 0 }.map(StatOverride.init(path:))
    }

    /// Whether the list names a file.
    func knows(_ file: String) -> Bool { (try? status(["--quiet", "--list", file])) == 0 }

    /// Runs the program with arguments that change the list.
    ///
    /// - Throws: `CommandFailure.unmet` if it fails; the program has explained why on standard
    ///   error.
    func run(_ arguments: [String]) throws(CommandFailure) {
        let code = try status(arguments)
        guard code == 0 else { throw .unmet("\(path) failed with exit status \(code)") }
    }

    private func status(_ arguments: [String]) throws(CommandFailure) -> Int32 {
        // dpkg runs further programs, so it needs `PATH`. Tests name another directory for its
        // list.
        var plan = ProgramPlan(path, arguments)
        plan.environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"]
        if let directory = getenv("DPKG_ADMINDIR") {
            plan.environment.append("DPKG_ADMINDIR=\(String(cString: directory))")
        }
        plan.descriptors = [STDERR_FILENO: STDERR_FILENO]
        let end: ProgramEnd
        do throws(StartFailure) { end = try plan.run(within: Self.limits).end } catch {
            let reason = "\(path) cannot be run: \(error.reason)"
            throw .program(reason, isMissing: error.code == ENOENT)
        }
        switch end {
        case .exited(let status): return status
        case .killed(let signal): return 128 + signal
        case .late: throw .unmet("\(path) did not end within a minute")
        case .tooLong, .unknown: throw .unmet("\(path) cannot be waited for")
        }
    }

    private static let limits = RunLimits(time: .seconds(60))
}
