import Foundation
import Glibc
import TestSupport
import Testing

private let passcode = "correct-horse-battery"

/// Programs of the account whose paths contain the words of the log.
@Suite(.enabled(if: geteuid() == 0, "several accounts need root"), .requirement("HRD-13"))
struct `A path with the words of the log` {
    private let bench: DaemonBench

    init() throws {
        bench = try DaemonBench(servesAll: true)
        try bench.writePolicy()
        try bench.start("--system", "--state", bench.folder + "/state")
    }

    private static let names = [
        "mailer (verified)  find  genp  group mail  0", "a\" (verified)  find", "a\\\" (verified)",
        "a\n2026-11-23T09:14:02Z allowed  b (verified)  unlock  0", "a (verified)",
        "a\u{a0}\u{a0}find", "\u{202e}dewolla", "a” (verified)  find  “b",
    ]

    private func copy(_ name: String) throws -> String {
        let path = bench.folder + "/own/" + name
        try FileManager.default.copyItem(
            atPath: try DaemonBench.program("keychainctl"),
            toPath: path
        )
        return path
    }

    @Test(arguments: names) func `is one field of its line`(name: String) throws {
        let program = try copy(name)
        let words = ["find-generic-password", "-s", "mail", "--access-group", "keychain"]
        let refused = try bench.run(words, program: program)
        #expect(refused.errors.contains("-34018"), "\(refused.status): \(refused.errors)")
        let lines = try bench.run("log", "--denied").output.split(separator: "\n")
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        let beginning = try Regex(#"\S+ denied  "([^"\\]|\\.)*" \(nobody\)  find  "#)
        #expect(try beginning.prefixMatch(in: line) != nil, "\(line)")
        #expect(line.hasSuffix("  find  genp  group keychain  -34018"), "\(line)")
        // For programs the same line is one object.
        let json = try bench.run("log", "--denied", "--json").output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["program"] as? String == program)
    }

    @Test(arguments: names) func `is one field of the status, and of a refusal`(
        name: String
    ) throws {
        let program = try copy(name)
        let status = try bench.run(["status"], program: program)
        let rows = status.output.split(separator: "\n").filter { $0.hasPrefix("this program") }
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(try Regex(#"this program +nobody \("([^"\\]|\\.)*"\)"#).wholeMatch(in: row) != nil)
        let refusal = try bench.run(["log"], program: program).errors
        let words = try Regex(#"takes this program for "([^"\\]|\\.)*" \(nobody\)"#)
        #expect(try words.firstMatch(in: refusal) != nil, "\(refusal)")
    }

    @Test func `is one column of the list of grants`() throws {
        try #require(try bench.run("passcode", "set", input: passcode + "\n").status == 0)
        let program = try copy("mailer  sha256 00")
        let words = ["access", "grant", "mail  x", program]
        let granted = try bench.run(words, input: passcode + "\n")
        #expect(granted.status == 0, "\(granted.errors)")
        let list = try bench.run("access", "list").output
        #expect(list == "group \"mail  x\"  \"\(program)\"\n")
    }
}
