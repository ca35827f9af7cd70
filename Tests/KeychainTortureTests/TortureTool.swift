import EngineTestSupport
import Foundation
import TestSupport
import Testing

/// The tool of `Tools/KeychainTorture`, which is built beside the tests.
struct TortureTool {
    let executable: URL

    init() throws {
        let products = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let places = products.flatMap { [$0, $0.deletingLastPathComponent()] }
        let found = places.map { $0.appending(path: "keychain-torture") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        executable = try #require(found, "keychain-torture was not built beside the tests")
    }

    private func program(_ arguments: [String], in home: TestHome? = nil) throws -> TestProgram {
        // No slice is about the cost of a guess, which a daemon would measure for seconds.
        let least = ["KEYCHAIN_UNLOCK_TIME": "0"]
        let variables =
            home.map { ["KEYCHAIN_HOME": $0.directory, "XDG_RUNTIME_DIR": $0.runtime] }
            ?? ProcessInfo.processInfo.environment
        var program = try TestProgram(
            [executable.path] + arguments,
            environment: variables.merging(least) { $1 }
        )
        program.limit = .seconds(600)
        return program
    }

    func start(_ arguments: [String], in home: TestHome) throws -> TestProcess {
        try program(arguments, in: home).start()
    }

    /// Runs to the end.
    func run(_ arguments: String...) throws -> ProgramResult { try run(arguments) }

    /// Runs to the end.
    func run(_ arguments: [String]) throws -> ProgramResult { try program(arguments).run() }
}

extension String {
    /// A figure of the tool's last line; 0 where there is none of the name.
    func figure(_ name: String) -> Int {
        let words = split(whereSeparator: \.isWhitespace)
        let word = words.last { $0.hasPrefix(name + "=") }
        return word.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
}
