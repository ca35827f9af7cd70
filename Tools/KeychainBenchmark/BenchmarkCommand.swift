import Foundation
import Glibc

/// `keychain-benchmark`: the cost of calls, and the least possible cost of each.
struct BenchmarkCommand {
    let arguments: [String]

    /// - Returns: 0 if every target is met, 1 if not, 2 for wrong usage, 3 if the benchmark cannot
    ///   run.
    func run() -> Int32 {
        if arguments.first == ChildWork.argument {
            return ChildWork.run(Array(arguments.dropFirst()))
        }
        guard let options = BenchmarkOptions(arguments) else {
            Output.tell(BenchmarkOptions.usage)
            return 2
        }
        do {
            let report = try BenchmarkRun(options: options).report()
            try publish(report, options)
            return report.isMet ? 0 : 1
        } catch {
            Output.tell("keychain-benchmark: \(error)")
            return 3
        }
    }

    private func publish(_ report: FigureReport, _ options: BenchmarkOptions) throws {
        let table = FigureTable.text(report.figures) + "\n\n" + FigureTable.summary(report.figures)
        print(options.isJSON ? try report.json() : table)
        if let file = options.plot {
            guard let plot = CostPlot(report.figures) else {
                throw BenchmarkError("there is nothing to plot")
            }
            try plot.svg.write(toFile: file, atomically: true, encoding: .utf8)
        }
        guard let file = options.page else { return }
        let page = try String(contentsOfFile: file, encoding: .utf8)
        let runs = options.runCount > 1 ? " Medians of \(options.runCount) runs." : ""
        let text = Machine.description + runs + "\n\n" + table
        guard let written = MarkedSection.replacing(options.section, in: page, with: text) else {
            throw BenchmarkError("\(file) has no section marked '\(options.section)'")
        }
        try written.write(toFile: file, atomically: true, encoding: .utf8)
    }
}

/// The reason why the benchmark cannot go on.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Progress lines for the user, separate from the figures.
enum Output {
    static func tell(_ line: String) { write(line, to: STDERR_FILENO) }

    /// Writes a line at once, without a buffer.
    static func write(_ line: String, to descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}

/// The machine on which the benchmark runs.
enum Machine {
    static var description: String {
        let count = ProcessInfo.processInfo.activeProcessorCount
        return "Machine: \(processor), \(count) processors in use. Date: \(date)."
    }

    private static var processor: String {
        let table = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = table?.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last
        return name.map { $0.trimmingCharacters(in: .whitespaces) } ?? "an unnamed processor"
    }

    private static var date: String {
        let words = Date.now.formatted(.iso8601)
        return String(words.prefix(10))
    }
}
