import Testing

@testable import KeychainDaemon

private struct Words: CustomTestStringConvertible, Sendable {
    let words: [String]
    let expected: @Sendable (inout DaemonOptions) -> Void

    init(_ words: String, _ expected: @escaping @Sendable (inout DaemonOptions) -> Void) {
        self.words = words.split(separator: " ").map(String.init)
        self.expected = expected
    }

    var testDescription: String { words.joined(separator: " ") }
}

private struct Refusal: CustomTestStringConvertible, Sendable {
    let words: [String]
    let reason: String

    init(_ words: String, _ reason: String) {
        self.words = words.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        self.reason = reason
    }

    var testDescription: String { words.joined(separator: " ") }
}

@Suite struct `The options of keychaind` {
    @Test(arguments: [
        Words("--user") { $0.kind = .user },
        Words("--system --system") { $0.kind = .system },
        Words("--user --foreground") { $0.staysInForeground = true },
        Words("--user --no-witness") { $0.usesWitness = false },
        Words("--user --state /a --socket /b") {
            $0.stateDirectory = "/a"
            $0.socket = "/b"
        },
        Words("--user --socket=/b=c") { $0.socket = "/b=c" },
        Words("--policy /a --user --policy=/b") { $0.policyDirectories = ["/a", "/b"] },
        Words("--system --account-size 16") {
            $0.kind = .system
            $0.accountMebibytes = 16
        },
        Words("--system --account-size=16000000") {
            $0.kind = .system
            $0.accountMebibytes = 16_000_000
        },
    ])
    private func `are read`(_ line: Words) throws {
        var expected = DaemonOptions()
        line.expected(&expected)
        #expect(try DaemonOptions.parse(line.words) == .run(expected))
    }

    @Test(arguments: [
        ("--help", DaemonOptions.Choice.help), ("--user -h", .help), ("--version", .version),
    ])
    func `can ask for a text instead`(words: String, choice: DaemonOptions.Choice) throws {
        #expect(try DaemonOptions.parse(words.split(separator: " ").map(String.init)) == choice)
    }

    @Test(arguments: [
        Refusal("", "unknown option "),
        Refusal("--foreground", "choose --system or --user"),
        Refusal("--system --user", "--system and --user exclude each other"),
        Refusal("--user --state", "--state needs a path"),
        Refusal("--user --state=", "--state needs a path"),
        Refusal("--user=1", "--user takes no value"),
        Refusal("--user more", "unknown option more"),
        Refusal("--user -x", "unknown option -x"),
        Refusal("--system --account-size", sizeReason),
        Refusal("--system --account-size 0", sizeReason),
        Refusal("--system --account-size -1", sizeReason),
        Refusal("--system --account-size 16000001", sizeReason),
        Refusal("--system --account-size 99999999999999999999", sizeReason),
        Refusal("--system --account-size 1G", sizeReason),
    ])
    private func `that are wrong are named`(_ line: Refusal) {
        #expect(throws: DaemonOptions.UsageError(reason: line.reason)) {
            try DaemonOptions.parse(line.words)
        }
    }
}

private let sizeReason = "--account-size needs a number of MiB, such as 1024"
