import Foundation
import TestSupport
import Testing

@Suite struct `The names that this package lacks` {
    /// The names of the table that are names of Swift, without members and arguments.
    private static func names() throws -> [String] {
        let table = Compiler.checkout.appending(path: "Documentation/AppleNames.tsv")
        let text = try String(contentsOf: table, encoding: .utf8)
        return text.split(separator: "\n").dropFirst().flatMap { line in
            line.split(separator: "\t")[1].split(separator: " ").map(String.init)
        }.filter { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
    }

    @Test func `do not exist in any module`() throws {
        let names = try Self.names()
        #expect(names.count > 150)
        let modules = ["CommonCrypto", "Foundation", "LocalAuthentication", "Security"]
        // A name that is found draws another error, or none.
        let lines = modules.map { "import \($0)" } + names.map { "func of\($0)() { _ = \($0) }" }
        let source = lines.joined(separator: "\n")
        let errors = try Compiler.check([("Names.swift", source)], version: "5").errors
        let missing = errors.compactMap { $0.firstMatch(of: /cannot find '(\w+)' in scope/)?.1 }
        #expect(Set(names).subtracting(missing.map(String.init)).sorted() == [])
    }
}
