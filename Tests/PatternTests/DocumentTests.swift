import Foundation
import Testing

/// A fenced block of a document.
private struct Block: Sendable, CustomTestStringConvertible {
    let document: String
    let number: Int
    let language: String
    let lines: [String]

    var testDescription: String { "\(document), block \(number)" }

    /// Whether the lines belong into a `Package.swift`.
    var isManifest: Bool {
        lines.contains { $0.hasPrefix(".package(") || $0.hasPrefix(".product(") }
    }

    /// The lines without imports at the beginning.
    var code: ArraySlice<String> {
        lines[...].drop { $0.isEmpty || $0.hasPrefix("import ") }
    }

    /// The commands after the prompts, without comments.
    var commands: [String] {
        lines.filter { $0.hasPrefix("$ ") }.map { line in
            let command = line.dropFirst(2).components(separatedBy: " #")[0]
            return command.trimmingCharacters(in: .whitespaces)
        }
    }

    /// The blocks of a document, which are between lines that begin with three backquotes.
    static func all(of document: String) -> [Block] {
        let text = (try? Checkout.text(document)) ?? ""
        let parts = ("\n" + text).components(separatedBy: "\n```")
        return parts.indices.filter { $0 % 2 == 1 }.map { index in
            let lines = parts[index].components(separatedBy: "\n")
            return Block(
                document: document,
                number: index / 2 + 1,
                language: lines[0],
                lines: Array(lines.dropFirst())
            )
        }
    }
}

/// The documents whose code has to run, and the files that contain it.
private enum Documents {
    /// The files below a folder, from the root of the checkout.
    private static func files(below folder: String, _ endings: String...) -> [String] {
        let root = Checkout.root.appending(path: folder).path
        let walk = FileManager.default.enumerator(atPath: root)
        return (walk?.compactMap { $0 as? String } ?? []).filter { path in
            endings.contains { path.hasSuffix($0) }
        }
        .map { "\(folder)/\($0)" }.sorted()
    }

    static let catalogues = files(below: "Sources", ".md", ".tutorial").filter {
        $0.contains(".docc/")
    }

    /// Pages whose Swift is compiled; other tests run their commands.
    private static let pages = ["Command", "Testing", "Migration", "Files"].map {
        "Documentation/\($0).md"
    }

    static let blocks = (["README.md"] + catalogues).flatMap(Block.all)
    static let swift = (blocks + pages.flatMap(Block.all)).filter { $0.language == "swift" }

    /// Code that these tests, or those of another target, compile and run.
    static let compiled: [[String]] = [
        "Tests/PatternTests/Guide", "Tests/VaultTests", "Tests/FileProtectionTests", "Examples",
    ].flatMap { files(below: $0, ".swift") }
        .map { ((try? Checkout.text($0)) ?? "").components(separatedBy: "\n") }

    /// The steps of a tutorial, in their order.
    static func steps(of name: String) -> [String] {
        files(below: "Sources", ".swift").filter { $0.contains(".docc/Resources/\(name)") }
    }

    /// What the transcripts of the command run, and the examples of its help, which a test parses.
    static let commands: [String] = {
        let lines = files(below: "Tests/KeychainCommandTests/Transcripts", ".txt")
            .flatMap { ((try? Checkout.text($0)) ?? "").components(separatedBy: "\n") }
        let tables = files(below: "Sources/KeychainCommand", ".swift")
            .filter { $0.contains("CommandTable") }
            .flatMap { ((try? Checkout.text($0)) ?? "").components(separatedBy: "example: \"") }
        return lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
            + tables.dropFirst().map { $0.components(separatedBy: "\"")[0] }
    }()

    /// The Debian packages that a text installs.
    static func packages(of text: String) -> Set<String> {
        let words = text.split { !($0.isLetter || $0.isNumber || "-.".contains($0)) }
        return Set(words.map(String.init).filter { $0.hasSuffix("-dev") || $0 == "pkg-config" })
    }
}

extension Array<String> {
    /// Whether the lines occur here, one after the other, with one indentation for all.
    fileprivate func contains(lines: ArraySlice<String>) -> Bool {
        guard let first = lines.first(where: { !$0.isEmpty }) else { return false }
        return indices.contains { start in
            guard self[start].hasSuffix(first), count - start >= lines.count else { return false }
            let indent = self[start].dropLast(first.count)
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return zip(self[start...], lines).allSatisfy { $0 == ($1.isEmpty ? "" : indent + $1) }
        }
    }

    /// Whether all lines of the other text occur here, in their order.
    fileprivate func containsInOrder(_ other: [String]) -> Bool {
        reduce(other[...]) { rest, line in rest.first == line ? rest.dropFirst() : rest }.isEmpty
    }
}

@Suite struct `Code in a document` {
    @Test func `was found`() {
        #expect(Documents.catalogues.count > 40 && Documents.swift.count > 10)
        #expect(Documents.compiled.count > 30 && Documents.commands.count > 100)
    }

    @Test(arguments: Documents.blocks)
    private func `is of a kind that a test knows`(block: Block) {
        #expect(["swift", "console", "sh"].contains(block.language))
    }

    @Test(arguments: Documents.swift.filter { !$0.isManifest })
    private func `is compiled, line by line`(block: Block) {
        let found = Documents.compiled.filter { $0.contains(lines: block.code) }
        let imports = block.lines.filter { $0.hasPrefix("import ") }
        #expect(found.contains { Set(imports).isSubset(of: $0) }, "\(block.lines)")
    }

    @Test(arguments: Documents.swift.filter(\.isManifest))
    private func `names products that exist`(block: Block) throws {
        let manifest = try Checkout.text("Package.swift")
        let products = block.lines.filter { $0.hasPrefix(".product(name: \"") }
            .map { $0.components(separatedBy: "\"")[1] }
        #expect(!products.isEmpty)
        #expect(products.allSatisfy { manifest.contains(".library(name: \"\($0)\"") })
    }

    @Test(arguments: Documents.blocks.filter { $0.language == "console" })
    private func `is a command that another test runs or parses`(block: Block) {
        let unknown = block.commands.filter { command in
            !Documents.commands.contains { $0 == command || $0.hasPrefix(command + " ") }
        }
        #expect(unknown == [] && !block.commands.isEmpty)
    }

    @Test(arguments: Documents.blocks.filter { $0.language == "sh" })
    private func `starts a script of this checkout, or installs packages that it needs`(
        block: Block
    ) throws {
        let known = Documents.packages(of: try Checkout.text("Scripts/setup.sh"))
        let programs = block.lines.filter { !$0.isEmpty }.map { $0.components(separatedBy: " ")[0] }
        #expect(Documents.packages(of: block.lines.joined(separator: " ")).isSubset(of: known))
        #expect(
            programs.allSatisfy {
                $0 == "sudo"
                    || FileManager.default.isExecutableFile(
                        atPath: Checkout.root.appending(path: $0).path
                    )
            },
            "\(programs)"
        )
    }

    @Test(arguments: ["linux.yml", "Dockerfile"])
    func `installs in another package's tests what the read-me says`(file: String) throws {
        let installed = Documents.packages(of: try Checkout.text("Examples/CI/\(file)"))
        let lines = try Checkout.text("README.md").components(separatedBy: "\n")
        let line = try #require(lines.first { $0.hasPrefix("sudo apt-get install") })
        #expect(installed == Documents.packages(of: line))
        #expect(installed.count > 4)
    }
}

@Suite struct `A tutorial` {
    @Test(arguments: ["StoreAToken", "MoveAToken"])
    func `ends with code that is compiled and run`(name: String) throws {
        let steps = try Documents.steps(of: name).map(Checkout.text)
        #expect(steps.count == 7)
        #expect(steps.last == (try Checkout.text("Tests/PatternTests/Guide/\(name).swift")))
    }

    @Test(arguments: ["StoreAToken", "MoveAToken"])
    func `only adds lines from step to step`(name: String) throws {
        let steps = try Documents.steps(of: name).map {
            try Checkout.text($0).components(separatedBy: "\n")
        }
        #expect(zip(steps.dropFirst(), steps).allSatisfy { $0.containsInOrder($1) })
    }

    @Test func `begins with a package that names products that exist`() throws {
        let step = try #require(Documents.steps(of: "TokenPackage").first)
        let products = try Checkout.text(step).components(separatedBy: ".product(name: \"")
        let manifest = try Checkout.text("Package.swift")
        #expect(products.count == 3)
        #expect(
            products.dropFirst().allSatisfy {
                manifest.contains(".library(name: \"\($0.components(separatedBy: "\"")[0])\"")
            }
        )
    }

    @Test(arguments: ["KeychainSimulator", "KeychainMigration"])
    func `shows the picture of the read-me`(module: String) throws {
        let copy = try Checkout.text("Sources/\(module)/\(module).docc/Resources/time-line.svg")
        #expect(copy == (try Checkout.text("Documentation/Pictures/time-line.svg")))
    }
}
