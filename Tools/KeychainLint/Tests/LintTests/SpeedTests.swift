import Foundation
import Testing

@Suite struct `A thousand files` {
    /// How many processors the bound is stated for; the linter divides the files among them.
    private static let processors = 2.0

    /// The processor time of the commands that have ended.
    private static func used() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// Files with six fixtures each, so that every rule has something to look at.
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

    // Processor time, so that what else the machine does does not count.
    @Test(.requirement("LNT-10"))
    func `take less than 10 seconds on two processors`() throws {
        let command = try Command()
        try Self.write(1000, into: command.folder)
        let before = Self.used()
        let run = try command.run("--format", "json", ".")
        let seconds = (Self.used() - before) / Self.processors
        #expect(run.status == 1)
        #expect(run.output.contains("\"files\" : 1000,"))
        #expect(seconds < 10, "\(seconds) s on each of two processors")
    }
}
