import Foundation
import Testing

@Suite struct `A thousand files` {
    /// The number of processors for which the limit is stated; the linter distributes the files
    /// among them.
    private static let processors = 2.0

    /// Returns the processor time of one command, from the last line of `times`: `1m2.345s
    /// 0m0.123s`.
    private static func used(_ text: String) throws -> Double {
        let line = try #require(text.split(separator: "\n").last)
        let parts = line.matches(of: /(\d+)m(\d+\.\d+)s/)
        try #require(parts.count == 2)
        return parts.reduce(0) { $0 + 60 * (Double($1.1) ?? 0) + (Double($1.2) ?? 0) }
    }

    /// Writes files with six fixtures each, so that every rule has code to check.
    private static func write(_ count: Int, into folder: URL) throws {
        let fixtures = Lint.root.appending(path: "Fixtures").path
        let walk = FileManager.default.enumerator(atPath: fixtures)
        let names = (walk?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Blocks/") }
        let texts = try names.sorted().map {
            try String(contentsOfFile: "\(fixtures)/\($0)", encoding: .utf8)
        }
        .filter { !$0.contains("@main") }
        for number in 0..<count {
            let parts = (0..<6).map { step in
                let text = texts[(number * 7 + step) % texts.count]
                return "enum Part\(number)x\(step) {\n\(text)\n}\n"
            }
            let file = folder.appending(path: "File\(number).swift")
            try Data(parts.joined().utf8).write(to: file)
        }
    }

    // Processor time of this command alone, so that what else runs does not count.
    @Test(.requirement("LNT-10"))
    func `take less than 10 seconds on two processors`() throws {
        let command = try Command()
        try Self.write(1000, into: command.folder)
        let script = "\"$0\" --format json .; status=$?; times >&2; exit $status"
        let run = try command.run(
            ["-c", script, try Command.program().path],
            program: URL(filePath: "/bin/bash")
        )
        let seconds = try Self.used(run.problems) / Self.processors
        #expect(run.status == 1)
        #expect(run.output.contains("\"files\" : 1000,"))
        #expect(seconds < 10, "\(seconds) s on each of two processors")
    }
}
