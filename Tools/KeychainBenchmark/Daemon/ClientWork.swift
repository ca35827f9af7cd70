import Cryptography
import Foundation
import Glibc
import KeychainBenchmarkFloor
import KeychainHost
import KeychainServices
import KeychainWire
import MessageTransport
import Synchronization

/// What a client process of the daemon's figures does, over and over.
///
/// For each line of standard input, a `MeasuredWindow`, the process makes calls in that time and
/// writes a line: how many calls, and the nanoseconds of some of them.
enum ClientWork: String {
    static let argument = "client"

    /// Finds with data in the keychain that the environment names: a daemon's, or one of its own.
    case find
    /// Sends and receives as much, over one connection, without any keychain.
    case echo
    /// Connects to the daemon and says hello.
    case connect
    /// Connects, sends and receives as much.
    case echoConnect = "echo-connect"

    /// The largest number of calls that is prepared; more begin again.
    private static let preparedCount = 1000

    /// Runs until standard input ends.
    ///
    /// The arguments are the work, which of several clients this is, how many items the keychain
    /// has, and the socket's path.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 4, let work = ClientWork(rawValue: arguments[0]),
            let number = UInt64(arguments[1]), let itemCount = Int(arguments[2])
        else { throw BenchmarkError("a client does not know what to do") }
        let call = try work.call(number, itemCount, arguments[3])
        while let line = readLine(), let window = MeasuredWindow(line) {
            let (count, times) = try window.fill(call)
            let words = [String(count)] + times.map { String(Int($0)) }
            Output.write(words.joined(separator: " "), to: STDOUT_FILENO)
        }
    }

    private func call(
        _ number: UInt64,
        _ itemCount: Int,
        _ path: String
    ) throws -> @Sendable (Int) throws -> Void {
        switch self {
        case .find:
            var generator = SeededNumbers(seed: number)
            let queries = CallList(
                (0..<Self.preparedCount).map { _ in
                    SampleItem(number: Int.random(in: 0..<itemCount, using: &generator))
                        .search(data: true)
                }
            )
            return { try Calls.findData(queries.dictionaries[$0 % Self.preparedCount]) }
        case .echo:
            let sizes = try FrameSizes.find()
            let socket = try EchoSocket(path)
            return { _ in try socket.call(sizes) }
        case .connect:
            return { _ in _ = try ClientConnection(connectingTo: path, ClientHello()) }
        case .echoConnect:
            let sizes = try FrameSizes.greeting(EmbeddedKeychain.profiles)
            return { _ in try EchoSocket(path).call(sizes) }
        }
    }

    /// Serves the floor until the process is killed.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - sizes: How many bytes go each way.
    ///   - itemCount: Finds one of so many items for each request; nil finds nothing.
    /// - Throws: why it cannot.
    static func serveEcho(_ path: String, _ sizes: FrameSizes, finding itemCount: Int?) throws {
        let listener = echo_listen(path)
        guard listener >= 0 else { throw BenchmarkError("cannot listen at \(path)") }
        Output.write("listening", to: STDOUT_FILENO)
        if let itemCount {
            InnerFinds.itemCount.store(itemCount, ordering: .relaxed)
            echo_serve(listener, sizes.request, sizes.reply) { InnerFinds.next() }
        } else {
            echo_serve(listener, sizes.request, sizes.reply, nil)
        }
        throw BenchmarkError("the floor of the daemon ended")
    }

    /// Makes connections, each by a program of its own as the daemon sees it, uses each once, and
    /// keeps them until standard input ends.
    static func idle(_ connectionCount: Int, _ path: String) throws {
        let endpoints = (0..<connectionCount).map { _ in DaemonEndpoint(path: path) { _ in } }
        for (number, endpoint) in endpoints.enumerated() {
            _ = try endpoint.send(.copyMatching(SampleItem(number: number).query))
        }
        Output.write("connected", to: STDOUT_FILENO)
        while readLine() != nil {}
        withExtendedLifetime(endpoints) {}
    }
}

/// The finds that a floor makes between a request and its reply.
private enum InnerFinds {
    static let itemCount = Atomic(1)
    private static let count = Atomic(0)
    private static let queries = CallList(
        (0..<itemCount.load(ordering: .relaxed)).map { SampleItem(number: $0).search(data: true) }
    )

    /// - Returns: 1 for success.
    static func next() -> Int32 {
        let number = count.wrappingAdd(7, ordering: .relaxed).newValue
        let dictionaries = queries.dictionaries
        do {
            try Calls.findData(dictionaries[number % dictionaries.count])
            return 1
        } catch {
            Output.tell("keychain-benchmark: \(error)")
            return 0
        }
    }
}

/// A connection to the floor.
private final class EchoSocket: Sendable {
    private let socket: Int32

    init(_ path: String) throws {
        socket = echo_connect(path)
        guard socket >= 0 else { throw BenchmarkError("cannot connect to \(path)") }
    }

    deinit { echo_close(socket) }

    func call(_ sizes: FrameSizes) throws {
        guard echo_call(socket, sizes.request, sizes.reply) == 1 else {
            throw BenchmarkError("the floor of the daemon does not answer")
        }
    }
}
