import Foundation
import TestSupport
import Testing

@Suite struct `The source of Vault` {
    /// Modules of Apple's platforms, and of Swift itself.
    private static let applesModules: Set<String> = [
        "Foundation", "LocalAuthentication", "Observation", "Security", "Synchronization",
    ]

    /// The modules that stand for Apple's on Linux.
    private static let standIns: Set<String> = ["KeychainAuthentication", "KeychainServices"]

    private static func imports(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 1 else { return nil }
            return words.dropFirst(index + 1).first.map(String.init)
        }
    }

    @Test(.requirement("VLT-02"))
    func `imports Apple's modules, and their stand-ins on Linux`() throws {
        let files = try Compiler.sources(in: "Sources/Vault")
        let imports = Set(try files.flatMap(Self.imports))
        #expect(imports.isSuperset(of: ["Foundation", "Security", "KeychainServices"]))
        #expect(imports.subtracting(Self.applesModules).subtracting(Self.standIns).isEmpty)
    }

    /// In another package, where only Apple's names are visible, and by the way that Apple's
    /// platforms take.
    @Test(.requirement("VLT-02")) func `uses public names only`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "vault-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copies = try Compiler.sources(in: "Sources/Vault").map { file in
            let copy = folder.appending(path: file.lastPathComponent)
            let text = try String(contentsOf: file, encoding: .utf8)
            try Data(text.replacing("canImport(Darwin)", with: "canImport(Security)").utf8)
                .write(to: copy)
            return copy
        }
        #expect(try Compiler.complaints(about: copies, ["-module-name", "Vault", "-wmo"]) == "")
    }

    /// Declarations stand as they are, and statements in a function each.
    @Test func `is what Vault.md shows`() throws {
        let page = Compiler.checkout.appending(path: "Documentation/Vault.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        let functions = blocks.enumerated().map { number, block in
            block.hasPrefix("import")
                ? block : "func block\(number)(_ vault: Vault) async throws {\n\(block)}\n"
        }
        #expect(functions.count == 7)
        let server = "func tellServer(_ token: String) async throws {}\n"
        let file = FileManager.default.temporaryDirectory
            .appending(path: "page-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data((functions + [server]).joined().utf8).write(to: file)
        #expect(try Compiler.complaints(about: [file]) == "")
    }

    @Test(.requirement("VLT-01")) func `does not compile with an illegal combination`() throws {
        let files = try Compiler.sources(in: "Tests/VaultTests/CompileFail")
        let options = ["-Xfrontend", "-verify", "-Xfrontend", "-verify-ignore-unrelated"]
        #expect(try Compiler.complaints(about: files, options) == "")
    }
}
