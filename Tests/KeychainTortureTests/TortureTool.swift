import EngineTestSupport
import Foundation
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

    func start(_ arguments: [String], in home: TestHome? = nil) throws -> (Process, Pipe) {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = output
        if let home {
            process.environment = [
                "KEYCHAIN_HOME": home.directory, "XDG_RUNTIME_DIR": home.runtime,
            ]
        }
        try process.run()
        return (process, output)
    }

    /// Runs to the end.
    func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        let (process, output) = try start(arguments)
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}

extension String {
    /// A figure of the tool's last line; 0 where there is none of the name.
    func figure(_ name: String) -> Int {
        let words = split(whereSeparator: \.isWhitespace)
        let word = words.last { $0.hasPrefix(name + "=") }
        return word.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
}
