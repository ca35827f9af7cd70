import Foundation
import Glibc
import TestSupport
import Testing

/// Programs that are run as a person would run them: in a home directory of their own.
struct Workshop {
    let scratch: ScratchFolder
    let environment: [String: String]
    /// Where `keychainctl` and its companions were built.
    let products: String

    init() throws {
        products =
            URL(filePath: try BuiltPrograms.path("keychainctl"))
            .deletingLastPathComponent().path
        scratch = try ScratchFolder()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment = [
            "HOME": scratch.path, "KEYCHAIN_HOME": scratch.path + "/keychain",
            "KEYCHAIN_UNLOCK_TIME": "0",
            "XDG_RUNTIME_DIR": scratch.path, "PATH": products + ":" + path,
            "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1",
        ]
    }

    static func isInstalled(_ name: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// A program with settings before its name, as `env` has them.
    private func program(_ words: [String]) throws -> TestProgram {
        try TestProgram(["env"] + words, environment: environment, directory: scratch.path)
    }

    /// Starts a program; the test hears both output streams.
    func start(_ words: [String], hasInput: Bool = false) throws -> TestProcess {
        try program(words).start(hears: [STDOUT_FILENO, STDERR_FILENO], hasInput: hasInput)
    }

    /// Runs to the end; both output streams together.
    @discardableResult
    func run(_ words: String..., input: String = "") throws -> (status: Int32, output: String) {
        try run(words, input: input)
    }

    @discardableResult
    func run(_ words: [String], input: String) throws -> (status: Int32, output: String) {
        let result = try program(words).run(input: input)
        return (result.status, result.output)
    }
}
