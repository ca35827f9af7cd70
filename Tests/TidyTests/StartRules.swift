@testable import conformance_ledger

extension TidyRule {
    /// Programs are started where the laws for that are kept.
    static let programsStartInOnePlace = TidyRule(
        "programs are started by ProgramStart only",
        readsEveryText: true
    ) { file in
        guard !file.isBelow("Sources/ProgramStart", "Tests/TidyTests") else { return [] }
        return file.calls.filter { call in
            starters.contains(call.name) && !isKnown(call, in: file, to: otherStarters)
        }.map { file.finding($0.line, "`\($0.name)` starts a program: use `ProgramPlan`") }
    }

    /// No program that another thread starts inherits a descriptor, not even for a moment.
    static let descriptorsCloseOnExec = TidyRule(
        "every descriptor is close-on-exec from its first moment",
        readsEveryText: true
    ) { file in
        guard !file.isBelow("Tests/TidyTests") else { return [] }
        return file.calls.filter { call in
            makesLastingDescriptor(call, in: file) && !isKnown(call, in: file, to: kept)
        }.map { file.finding($0.line, "what `\($0.name)` makes is not close-on-exec") }
    }

    private static let starters: Set<String> = [
        "posix_spawn", "posix_spawnp", "execl", "execle", "execlp", "execv", "execve", "execvp",
        "execvpe", "fexecve", "fork", "vfork", "popen", "system", "Process",
    ]

    /// ★ Other places that start programs, each with its reason in ProgramPlan.swift; then tools
    /// that are packages of their own, and one that becomes another program.
    private static let otherStarters: [String: Set<String>] = [
        "Sources/CProcess/CProcess.c": ["execvp"],
        "Scripts/crowd/crowd.c": ["fork"],
        "Scripts/crowd/storms.c": ["fork"],
        "Sources/CWitness/CWitness.c": ["fork", "execve"],
        "Sources/PAMKeychain/helper.c": ["fork", "execve"],
        "Tools/KeychainTorture/Daemon/DaemonClient.swift": ["execv"],
        "Tools/KeychainLint/Sources/CodeCheck/Program.swift": ["posix_spawn"],
        "Tools/KeychainLint/Tests/LintTests/Command.swift": ["Process"],
        "Tools/KeychainLint/Plugins/KeychainLintPlugin/KeychainLintPlugin.swift": ["Process"],
    ]

    /// ★ Descriptors that are to stay open: standard streams of this process, or of a child before
    /// it becomes a program; those that a test plants; and a package that macOS builds, too.
    private static let kept: [String: Set<String>] = [
        "Sources/KeychainCommand/Invocation+Process.swift": ["open"],
        "Sources/CWitness/CWitness.c": ["open", "dup2"],
        "Sources/PAMKeychain/helper.c": ["open", "dup2"],
        "Tests/ProgramStartTests/ProgramRunTests.swift": ["open", "fcntl"],
        "Tools/KeychainLint/Sources/CodeCheck/Program.swift": ["pipe"],
    ]

    private static func isKnown(
        _ call: SourceCall,
        in file: SourceFile,
        to table: [String: Set<String>]
    ) -> Bool {
        table[file.path]?.contains(call.name) ?? false
    }

    /// ★ Functions, and the flag with which they make a descriptor that programs do not inherit.
    private static let flags: [String: String] = [
        "open": "O_CLOEXEC", "openat": "O_CLOEXEC", "pipe2": "O_CLOEXEC", "dup3": "O_CLOEXEC",
        "mkostemp": "O_CLOEXEC", "socket": "SOCK_CLOEXEC", "socketpair": "SOCK_CLOEXEC",
        "accept4": "SOCK_CLOEXEC", "eventfd": "EFD_CLOEXEC", "memfd_create": "MFD_CLOEXEC",
        "inotify_init1": "IN_CLOEXEC", "epoll_create1": "EPOLL_CLOEXEC",
        "timerfd_create": "TFD_CLOEXEC", "signalfd": "SFD_CLOEXEC",
    ]

    /// Functions whose descriptors programs always inherit.
    private static let never: Set<String> = [
        "pipe", "dup", "dup2", "accept", "inotify_init", "epoll_create", "mkstemp", "tmpfile",
        "creat",
    ]

    private static func makesLastingDescriptor(_ call: SourceCall, in file: SourceFile) -> Bool {
        let isC = file.isC
        switch call.name {
        case "fcntl": return call.words.contains("F_DUPFD")
        case "fopen": return !(call.strings.last ?? "").contains("e")
        // Methods of ours have these names, too.
        case "accept": return isC
        case "pipe": return isC || call.words.contains("&")
        case "open", "openat":
            let isOfSystem = call.words.contains { $0.hasPrefix("O_") || $0 == "flags" }
            guard isC || isOfSystem else { return false }
        case "socket", "socketpair": guard call.words.contains("AF_UNIX", "AF_INET") else { break }
        default: break
        }
        guard let flag = flags[call.name] else { return never.contains(call.name) }
        guard !call.words.contains(flag) else { return false }
        if call.name.hasPrefix("socket"), !call.words.contains("AF_UNIX", "AF_INET") {
            return false
        }
        // Flags that were put together before.
        let names = call.words.filter { ["flags", "kind"].contains($0) }
        return names.isEmpty
            || !names.allSatisfy { name in
                file.lines.contains { $0.contains(name) && $0.contains(flag) }
            }
    }
}

extension [String] {
    fileprivate func contains(_ words: String...) -> Bool { words.contains(where: contains) }
}

/// A call of a function that is no method, and the words of its arguments.
private struct SourceCall {
    let name: String
    let line: Int
    let words: [String]
    let strings: [String]
}

extension SourceFile {
    fileprivate var isC: Bool { path.hasSuffix(".c") || path.hasSuffix(".h") }

    /// The calls in code that is Swift or C.
    fileprivate var calls: [SourceCall] {
        let code = isC ? cCode : self.code
        return code.indices.compactMap { index in
            guard code[index].kind == .identifier, index + 1 < code.count,
                code[index + 1].isCode("("), !isMethod(at: index, in: code)
            else { return nil }
            var depth = 0
            let arguments = code[(index + 1)...].prefix { token in
                if token.isCode("(") { depth += 1 }
                if token.isCode(")") { depth -= 1 }
                return depth > 0
            }
            return SourceCall(
                name: code[index].text,
                line: code[index].line,
                words: arguments.filter { $0.kind != .string }.map(\.text),
                strings: arguments.filter { $0.kind == .string }.map(\.text)
            )
        }
    }

    /// Whether a name is that of a declaration, or comes after a value's dot.
    private func isMethod(at index: Int, in code: [SwiftToken]) -> Bool {
        guard index > 0 else { return false }
        if ["func", "case"].contains(where: code[index - 1].isCode) { return true }
        guard code[index - 1].isCode(".") else { return false }
        return index < 2
            || !(code[index - 2].isCode("Glibc") || code[index - 2].isCode("Foundation"))
    }

    /// C's tokens are like Swift's but for its characters, of which one may be a quotation mark.
    private var cCode: [SwiftToken] {
        let plain = text.replacing(#/'(?:\\.|[^'\\])'/#, with: "0")
        return SwiftLexer.tokens(of: plain).filter { $0.kind != .comment }
    }
}
