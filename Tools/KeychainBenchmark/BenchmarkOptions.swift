/// The options of the command line.
struct BenchmarkOptions: Sendable, Equatable {
    static let usage = """
        usage: keychain-benchmark [--items N,N,…] [--quick] [--json] [--svg FILE] [--page FILE]
                                  [--home DIRECTORY] [--runs N] [--daemon]
          --items   how many items the keychains hold, ascending (1000,100000,1000000)
          --quick   1000 and 10000 items and fewer measurements
          --json    the figures as one line of JSON, in place of the table
          --svg     writes a plot of cost against number of items
          --page    writes the table into a page, between <!-- benchmark --> and <!-- /benchmark -->
          --home    where the keychains are made (a new directory in /tmp, removed afterwards)
          --runs    how many times everything is measured (1); the table then has the medians
                    and the range of the ratio, or of the cost where there is no floor
          --daemon  measures calls through a daemon instead, with 1000 items, and the daemon's
                    memory; --page then writes between <!-- daemon-benchmark --> and its end
        Exit status: 0 when every target is met, 1 when not, 2 for wrong usage, 3 for a failure.
        """

    var itemCounts = [1000, 100_000, 1_000_000]
    var runCount = 1
    var isQuick = false
    var isJSON = false
    /// Whether to measure a daemon instead of the embedded keychain.
    var isAboutDaemon = false
    var plot: String?
    var page: String?
    var home: String?

    /// Reads the arguments after the program's name.
    ///
    /// - Returns: nil for invalid arguments.
    init?(_ arguments: [String]) {
        var words = arguments[...]
        var named: [Int]?
        while let word = words.popFirst() {
            switch word {
            case "--quick": isQuick = true
            case "--json": isJSON = true
            case "--daemon": isAboutDaemon = true
            case "--items":
                guard let counts = words.popFirst().flatMap(Self.counts) else { return nil }
                named = counts
            case "--runs":
                guard let count = words.popFirst().flatMap({ Int($0) }), 1...99 ~= count else {
                    return nil
                }
                runCount = count
            case "--svg", "--page", "--home":
                guard let value = words.popFirst(), !value.isEmpty else { return nil }
                set(word, value)
            default: return nil
            }
        }
        itemCounts = named ?? (isAboutDaemon ? [1000] : isQuick ? [1000, 10_000] : itemCounts)
        // A plot shows the cost for several numbers of items.
        guard !isAboutDaemon || itemCounts.count == 1 && plot == nil else { return nil }
    }

    /// The name of the marks around the table in a page.
    var section: String { isAboutDaemon ? "daemon-benchmark" : "benchmark" }

    private mutating func set(_ option: String, _ value: String) {
        switch option {
        case "--svg": plot = value
        case "--page": page = value
        default: home = value
        }
    }

    /// Returns ascending numbers, each at least 200; nil for any other text.
    private static func counts(_ text: String) -> [Int]? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let counts = words.compactMap { Int($0) }
        guard counts.count == words.count, counts.allSatisfy({ $0 >= 200 && $0 <= 100_000_000 }),
            zip(counts, counts.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        return counts
    }
}
