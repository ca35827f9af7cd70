import Foundation

/// The built command, run as a user runs it.
struct Command: ~Copyable {
    let folder: URL

    init(_ files: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try put(text, at: name) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func put(_ text: String, at name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// Returns the built command, which is in the directory of the tests.
    static func program() throws -> URL {
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: here).deletingLastPathComponent().appending(path: "keychain-lint")
    }

    /// Runs the command in the folder.
    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// Runs the command, or a copy of it, in the folder.
    func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        program copy: URL? = nil
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = try copy ?? Self.program()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = folder.appending(path: "output-\(UUID().uuidString)")
        let problems = folder.appending(path: "problems-\(UUID().uuidString)")
        for file in [output, problems] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: problems)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: try String(contentsOf: output, encoding: .utf8),
            problems: try String(contentsOf: problems, encoding: .utf8)
        )
    }

    struct Outcome {
        let status: Int32
        let output: String
        let problems: String
    }
}
