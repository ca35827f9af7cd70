import Cryptography
import Foundation
import KeychainHost
import KeychainServices

/// The work of this program as its own child.
enum ChildWork {
    static let argument = "child"
    /// Runs the floor of a daemon as a server.
    static let echo = "echo-server"
    /// Keeps connections to a daemon open.
    static let idle = "idle"

    /// - Returns: The exit status.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            if try runForDaemon(arguments) { return 0 }
        } catch {
            Output.tell("keychain-benchmark: \(error)")
            return 3
        }
        let words = arguments.prefix(1)
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        guard words.count + numbers.count == arguments.count, let work = words.first else {
            return 2
        }
        do {
            switch (VerbLoop(rawValue: work), numbers.count) {
            case (let verb?, 2): try verb.run(itemCount: numbers[0], calls: numbers[1])
            case (nil, 2) where work == "compare":
                try Comparison.measure(itemCount: numbers[0], calls: numbers[1])
            case (nil, 0) where work == "hold": try Comparison.hold()
            case (nil, 0) where work == "has": try Comparison.has()
            case (nil, 1) where work == "memory": try memory(numbers[0])
            case (nil, 1) where work == "fill": try BenchmarkHome.fill(numbers[0])
            case (nil, 1) where work == "fill-daemon":
                try BenchmarkHome.fill(numbers[0], batch: BenchmarkHome.daemonBatch)
            default: return 2
            }
            return 0
        } catch {
            Output.tell("keychain-benchmark: \(error)")
            return 3
        }
    }

    /// Does the work for the daemon's figures.
    ///
    /// - Returns: Whether the arguments name such work.
    private static func runForDaemon(_ arguments: [String]) throws -> Bool {
        let rest = Array(arguments.dropFirst())
        switch (arguments.first, rest.count) {
        case (ClientWork.argument, _): try ClientWork.run(rest)
        case (echo, 3):
            let sizes =
                rest[0] == "greeting"
                ? try FrameSizes.greeting(EmbeddedKeychain.profiles) : try FrameSizes.find()
            try ClientWork.serveEcho(rest[2], sizes, finding: Int(rest[1]))
        case (idle, 2): try ClientWork.idle(Int(rest[0]) ?? 0, rest[1])
        default: return false
        }
        return true
    }

    /// Uses the keychain as a program that embeds it does, then writes the peak of its memory.
    private static func memory(_ count: Int) throws {
        var generator = SeededNumbers(seed: 7)
        for _ in 0..<2000 {
            let item = SampleItem(number: Int.random(in: 0..<count, using: &generator))
            try Calls.findData(item.search(data: true))
            try Calls.findAttributes(item.search(attributes: true))
        }
        let own = SampleItem(number: count * 3)
        try Calls.expect(SecItemAdd(own.addition, nil))
        try Calls.expect(SecItemDelete(own.search()))
        print(try peakKilobytes())
    }

    /// Returns the peak of this process's memory; proc_pid_status(5), `VmHWM`.
    static func peakKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count > 1, let kilobytes = Int(words[1]) else {
            throw BenchmarkError("/proc/self/status does not tell the memory")
        }
        return kilobytes
    }
}
