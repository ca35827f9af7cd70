import Glibc

/// `keychain-torture`: processes that fight over one keychain, and are killed, must lose nothing.
///
///     keychain-torture [--items N] [--rounds N] [--kills N] [--seed N] [--home DIRECTORY]
///     keychain-torture worker add COUNT | update NAME COUNT ROUNDS | mix PREFIX COUNT SEED
struct TortureCommand {
    let arguments: [String]

    /// - Returns: 0 if nothing was lost, 1 if something was, 2 for arguments that make no sense.
    func run() -> Int32 {
        if arguments.first == "worker" {
            guard let worker = Worker(arguments: Array(arguments.dropFirst())) else {
                return usage()
            }
            worker.run()
            return 0
        }
        guard let options = TortureOptions(arguments: arguments) else { return usage() }
        return TortureRun(options: options).run() ? 0 : 1
    }

    private func usage() -> Int32 {
        OutputLine.write("usage: keychain-torture \(TortureOptions.usage)", to: STDERR_FILENO)
        return 2
    }
}

/// How much is done.
struct TortureOptions {
    static let usage = "[--items N] [--rounds N] [--kills N] [--seed N] [--home DIRECTORY]"

    /// How many items two processes add and update at once.
    var items = 1000
    /// How often each process updates every item.
    var rounds = 3
    /// How often a writing process is killed.
    var kills = 200
    var seed: UInt64
    /// The keychain's directory; nil: a new one, removed after success.
    var home: String?

    init?(arguments: [String]) {
        seed = UInt64.random(in: 1...1_000_000)
        var words = arguments[...]
        while let name = words.popFirst() {
            guard let value = words.popFirst() else { return nil }
            if name == "--home" {
                home = value
                continue
            }
            guard let number = UInt64(value), let count = Int(exactly: number) else { return nil }
            switch name {
            case "--items": items = count
            case "--rounds": rounds = count
            case "--kills": kills = count
            case "--seed": seed = number
            default: return nil
            }
        }
    }
}
