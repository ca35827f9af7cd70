import Foundation
import TestSupport
import Testing

/// Programs that are run as a person would run them: in a home directory of their own.
struct Workshop {
    let scratch: ScratchFolder
    let environment: [String: String]
    /// Where `keychainctl` and its companions were built.
    let products: String

    init() throws {
        products = URL(filePath: try BuiltPrograms.path("keychainctl"))
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

    func start(_ words: [String], input: Pipe? = nil) throws -> (Process, Pipe) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = environment
        process.currentDirectoryURL = URL(filePath: scratch.path)
        process.standardOutput = output
        process.standardError = output
        if let input {
            process.standardInput = input
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        return (process, output)
    }

    /// Runs to the end; both output streams together.
    @discardableResult
    func run(_ words: String..., input: String = "") throws -> (status: Int32, output: String) {
        try run(words, input: input)
    }

    @discardableResult
    func run(_ words: [String], input: String) throws -> (status: Int32, output: String) {
        let pipe = Pipe()
        let (process, output) = try start(words, input: pipe)
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
