import Foundation
import TestSupport
import Testing

/// The compiler, for sources that use the modules of this build.
enum Compiler {
    /// Checks types; returns what the compiler said if it found an error, and otherwise nothing.
    static func complaints(about files: [URL], _ options: [String] = []) throws -> String {
        let words =
            [
                "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6",
                "-package-name", "elsewhere", "-I", try modules().path,
            ] + options + files.map(\.path)
        let result = try runProgram(words)
        return result.status == 0 ? "" : result.output
    }

    /// The root of the checkout.
    static let checkout = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift files of a folder of the checkout.
    static func sources(in folder: String) throws -> [URL] {
        let root = checkout.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String]
        return try #require(names).filter { $0.hasSuffix(".swift") }.sorted()
            .map { root.appending(path: $0) }
    }

    private static func modules() throws -> URL {
        let products = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let folders = products.flatMap { [$0, $0.deletingLastPathComponent()] }
            .map { $0.appending(path: "Modules") }
        return try #require(
            folders.first {
                FileManager.default.fileExists(atPath: $0.appending(path: "Vault.swiftmodule").path)
            }
        )
    }
}
