import Foundation
import TestSupport
import Testing

/// Runs the generator of the status sources; its exit status and what it prints.
private func generate(_ arguments: String...) throws -> (status: Int32, output: String) {
    let script = Checkout.root.appending(path: "Tools/Statuses/generate.py").path
    let result = try runProgram(["python3", script] + arguments)
    return (result.status, result.output)
}

@Suite struct `The sources of the statuses` {
    @Test func `are what the table says`() throws {
        let (status, output) = try generate("--check")
        #expect(status == 0, "\(output)")
    }

    /// One wrong row each, and what the generator says of it.
    private static let wrongRows = [
        ("keychain\t-1\tOne", "fields"), ("nowhere\t-1\tOne\tIt is one.\t", "no group"),
        ("keychain\tone\tOne\tIt is one.\t", "whole number"),
        ("keychain\t-1\tOne\tIt is one\t", "full stop"),
        ("keychain\t-1\tOne\tIt is \"one\".\t", "quotation mark"),
        ("keychain\t-1\tOne\tIt is one.\tformer Uno", "older name"),
        ("keychain\t0\tOne\tIt is one.\t", "another row has the code"),
        ("keychain\t-1\tSuccess\tIt is one.\t", "another row has the name"),
    ]

    @Test(arguments: wrongRows) func `name a wrong row of the table`(row: String, words: String)
        throws
    {
        let table = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let sound =
            "group\tcode\tname\tsentence\tolder name\nkeychain\t0\tSuccess\tIt is done.\t\n"
        try Data((sound + row + "\n").utf8).write(to: table)
        defer { try? FileManager.default.removeItem(at: table) }
        let (status, output) = try generate("--check", table.path)
        #expect(status == 2)
        #expect(output.hasPrefix("statuses.tsv:3: ") && output.contains(words), "\(output)")
    }

    @Test func `are named where they differ from the table`() throws {
        let table = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let original = Checkout.root.appending(path: "Tools/Statuses/statuses.tsv")
        let text = try String(contentsOf: original, encoding: .utf8)
        let changed = text.replacing("The operation succeeded.", with: "It is done.")
        try Data(changed.utf8).write(to: table)
        defer { try? FileManager.default.removeItem(at: table) }
        let (status, output) = try generate("--check", table.path)
        #expect(status == 1)
        #expect(output.split(separator: "\n").count == 2, "\(output)")
        #expect(output.contains("ErrSecKeychain.swift"))
    }
}
