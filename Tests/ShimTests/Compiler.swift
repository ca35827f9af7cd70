import Foundation
import TestSupport
import Testing

/// The compiler, for sources that use the modules of this build.
struct Compiler {
    /// What the compiler said.
    struct Report {
        let errors: [String]
        let warnings: [String]
    }

    /// Checks the types of sources that form one module, in language mode 5 or 6.
    static func check(_ sources: [(name: String, text: String)], version: String) throws -> Report {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "shims-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try sources.map { name, text in
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            return file.path
        }
        return try check(files: files, version: version)
    }

    /// Checks the types of files that form one module.
    static func check(files: [String], version: String) throws -> Report {
        let words =
            [
                "swiftc", "-typecheck", "-parse-as-library", "-swift-version", version,
                "-diagnostic-style", "llvm", "-I", try modules().path,
                // As SwiftPM does for whoever depends on `os`.
                "-Xcc", "-fmodule-map-file=\(checkout.path)/Sources/COSModules/module.modulemap",
            ] + files
        let result = try TestProgram(words).run(joinsErrors: false)
        let lines = result.errors.split(separator: "\n").map(String.init)
        let errors = lines.filter { $0.contains(": error:") }
        #expect((result.status == 0) == errors.isEmpty, "\(lines)")
        return Report(errors: errors, warnings: lines.filter { $0.contains(": warning:") })
    }

    /// The root of the checkout.
    static var checkout: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    private static func modules() throws -> URL {
        let products = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let folders = products.flatMap { [$0, $0.deletingLastPathComponent()] }
            .map { $0.appending(path: "Modules") }
        return try #require(
            folders.first {
                FileManager.default.fileExists(atPath: $0.appending(path: "UIKit.swiftmodule").path)
            }
        )
    }
}
