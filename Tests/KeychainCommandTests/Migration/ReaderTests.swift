import Foundation
import PlaintextFormats
import Secrets
import TestSupport
import Testing

extension ReaderFact {
    /// What the real tool says; nil if it is not installed, with what is missing.
    fileprivate func ask(_ workshop: Workshop) throws -> (answer: String?, missing: String) {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/real-reader.py")
        let file = workshop.scratch.path + "/file"
        try workshop.scratch.write(text, to: file)
        var missing = ""
        // Debian's modules belong to its own Python.
        for python in ["python3", "/usr/bin/python3"] {
            let words = [python, script.path, reader, file] + reads.map(\.name)
            let run = try workshop.run(words, input: "")
            if run.status == 0 { return (run.output, "") }
            missing = run.output
            guard run.status == 77 || run.status == 127 else { return (run.output, "") }
        }
        return (nil, missing)
    }

    /// The same by the table.
    fileprivate var expected: String {
        reads.map { name, value in
            guard let value else { return "\(name)=null\n" }
            let written = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: "\\n").replacing("\r", with: "\\r")
            return "\(name)=\"\(written)\"\n"
        }
        .joined()
    }
}

extension Programs {
    @Suite struct `A tool that reads a file of secrets` {
        @Test(arguments: ReaderFact.all)
        func `reads what the page says`(fact: ReaderFact) throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let (answer, missing) = try fact.ask(workshop)
            guard let answer else {
                print("not tried: \(fact.reader), \(fact.aspect): \(missing)")
                return
            }
            let lines = answer.split(separator: "\n").filter { $0.contains("=") }
            #expect(lines.map { $0 + "\n" }.joined() == fact.expected, "\(answer)")
        }
    }
}

@Suite struct `The reader of a migration` {
    @Test(arguments: ReaderFact.all)
    func `moves what the page says`(fact: ReaderFact) throws {
        let format = try #require(PlaintextFormat.named(fact.format))
        let content = SharedSecret(Secret(copying: fact.text.utf8))
        let entries = try PlaintextFile(content, as: format).entries
        let moved = entries.filter { $0.hindrance == nil }.map { entry in
            let secret = String(decoding: entry.secret.secret.copyBytesUnprotected(), as: UTF8.self)
            return switch entry.place {
            case .server(let server): "\(server.account)=\(secret)"
            case .service(_, let account): "\(account)=\(secret)"
            }
        }
        #expect(moved == fact.moves)
    }

    @Test func `has a row on the page for each of these facts, and no other`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/Spec/plaintext-formats.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## 6. ").last)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let heads = rows.map { row in
            row.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) }
                .joined(separator: ": ")
        }
        #expect(heads == ReaderFact.all.map { "`\($0.reader)`: \($0.aspect)" })
    }
}
