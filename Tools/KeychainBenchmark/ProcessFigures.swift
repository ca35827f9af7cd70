import Foundation
import Glibc
import ProgramStart

/// The cost of whole processes: memory, and a cold start.
struct ProcessFigures {
    let home: BenchmarkHome

    /// Measures the peak of memory of a process that embeds the keychain.
    func memory(items count: Int) throws -> Figure? {
        _ = try home.enter(items: count)
        let output = try ChildProcess.output(
            "/proc/self/exe",
            [ChildWork.argument, "memory", String(count)]
        )
        guard let kilobytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkError("the child for memory said '\(output)'")
        }
        return Figure(
            "resident memory, embedded",
            itemCount: count,
            value: kilobytes / 1024,
            unit: .megabytes,
            target: .atMost(25, .value)
        )
    }

    /// Measures the `keychain` command from start to end, and a program that does nothing.
    func coldCommand(items count: Int) throws -> Figure? {
        _ = try home.enter(items: count)
        let folder = try Self.executableFolder()
        let item = SampleItem(number: count / 2)
        setenv("KEYCHAIN_ENTITLEMENTS", try entitlements(), 1)
        defer { unsetenv("KEYCHAIN_ENTITLEMENTS") }
        let arguments = [
            "find-generic-password", "-s", item.service, "-a", item.account, "-w",
        ]
        let times = try PairedTimes(rounds: 25, calls: 1) { _ in
            _ = try ChildProcess.output(folder + "/keychainctl", arguments)
        } floor: { _ in
            _ = try ChildProcess.output(folder + "/keychain-empty", [])
        }
        let figure = times.figure("whole command, cold start", items: count, target: .atMost(3))
        return figure.map {
            Figure(
                $0.workload,
                itemCount: count,
                value: $0.value / 1000,
                unit: .milliseconds,
                floor: $0.floor.map { $0 / 1000 },
                ratio: $0.ratio,
                target: $0.target
            )
        }
    }

    /// Writes entitlements for the command, whose name would otherwise give it another group.
    private func entitlements() throws -> String {
        let path = home.directory + "/command.entitlements"
        let list = ["keychain-access-groups": ["keychain-benchmark"]]
        let data = try PropertyListEncoder().encode(list)
        try data.write(to: URL(filePath: path))
        return path
    }

    private static func executableFolder() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        guard count > 0 else { throw BenchmarkError("cannot tell where this program is") }
        let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        for name in ["keychainctl", "keychain-empty"] where access(folder + "/" + name, X_OK) != 0 {
            throw BenchmarkError("\(folder)/\(name) is missing: `swift build -c release` makes it")
        }
        return folder
    }
}

/// A program that this process runs to its end.
enum ChildProcess {
    /// Returns the standard output of the program.
    ///
    /// - Throws: `BenchmarkError` if it cannot be started, or fails.
    static func output(_ path: String, _ arguments: [String]) throws -> String {
        var plan = ProgramPlan(path, arguments, environment: GivenEnvironment.remainder)
        if path.hasSuffix("/exe") { plan.name = "keychain-benchmark" }
        plan.descriptors = [STDERR_FILENO: STDERR_FILENO]
        let outcome: ProgramOutcome
        do throws(StartFailure) {
            outcome = try plan.run(within: RunLimits(time: .seconds(3_600)))
        } catch { throw BenchmarkError(error.description) }
        guard outcome.succeeded else {
            throw BenchmarkError("\(path) failed: \(outcome.end)")
        }
        return String(decoding: outcome.output, as: UTF8.self)
    }
}
