/// The options of the command line.
struct ScaleOptions: Sendable, Equatable {
    /// A connection string of libpq without a database; the tool creates databases on that server.
    var server = ""
    var deviceCount = 1000
    var accountCount = 333
    /// The number of items that each device adds.
    var itemCount = 1000
    /// The number of devices that synchronize at the same time.
    var connectionCount = 4
    /// The number of items that each device changes in a round.
    var changeCount = 10
    /// The number of accounts that continue until their devices write checkpoints.
    var checkpointAccountCount = 4
    /// The sizes of single circles.
    var circles = [10, 30, 100]
    /// The number of items that each device of a single circle adds.
    var circleItemCount = 10
    /// The numbers of devices that wait during an append.
    var crowds = [100, 300, 1000, 2000]
    /// The numbers of accounts whose rows SQL makes.
    var filled = [100, 10_000, 100_000, 1_000_000]
    /// The number of these accounts that are measured.
    var sampleCount = 200

    static let usage = """
        usage: keychain-sync-scale SERVER [OPTION VALUE]…

          SERVER             a connection string of libpq without a database
          --devices COUNT    devices of all accounts together [1000]
          --accounts COUNT   accounts that they are spread over [333]
          --items COUNT      items that each device brings [1000]
          --connections COUNT  devices that synchronize at the same time [4]
          --changes COUNT    items that each device changes in a round [10]
          --checkpoints COUNT  accounts that go on until they write checkpoints [4]
          --circles LIST     sizes of single circles [10,30,100]
          --circle-items COUNT  items that each device of a single circle brings [10]
          --crowds LIST      how many devices wait for changes [100,300,1000,2000]
          --filled LIST      how many accounts have rows [100,10000,100000,1000000]
          --samples COUNT    accounts of these that are tried [200]

        Lists are in ascending order with commas; `-` is an empty list. Makes databases on the
        server, and removes them at the end. Figures go to standard output, in Markdown.
        """

    init() {}

    /// Reads the options; nil if there is no server or an option is wrong.
    init?(_ arguments: [String]) {
        guard let server = arguments.first, !server.hasPrefix("-") else { return nil }
        self.server = server
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            guard let value = rest.popFirst(), take(option, value) else { return nil }
        }
        guard accountCount > 0, deviceCount >= accountCount, connectionCount > 0 else { return nil }
    }

    private mutating func take(_ option: String, _ value: String) -> Bool {
        if let path = Self.counts[option] {
            guard let count = Int(value), count >= 0 else { return false }
            self[keyPath: path] = count
            return true
        }
        guard let path = Self.lists[option] else { return false }
        let words = value == "-" ? [] : value.split(separator: ",")
        let numbers = words.compactMap { Int($0) }
        guard numbers.count == words.count, numbers == numbers.sorted(), numbers.first ?? 1 > 0
        else { return false }
        self[keyPath: path] = numbers
        return true
    }

    private static var counts: [String: WritableKeyPath<ScaleOptions, Int>] {
        [
            "--devices": \.deviceCount, "--accounts": \.accountCount, "--items": \.itemCount,
            "--connections": \.connectionCount, "--changes": \.changeCount,
            "--checkpoints": \.checkpointAccountCount, "--circle-items": \.circleItemCount,
            "--samples": \.sampleCount,
        ]
    }

    private static var lists: [String: WritableKeyPath<ScaleOptions, [Int]>] {
        ["--circles": \.circles, "--crowds": \.crowds, "--filled": \.filled]
    }
}
