import Cryptography
import Foundation
import Glibc
import KeychainBenchmarkFloor
import KeychainHost
import KeychainServices
import KeychainWire
import MessageTransport
import Synchronization

/// The repeated work of a client process for the daemon's figures.
///
/// For each line of standard input, a `MeasuredWindow`, the process makes calls during that time.
/// It then writes a line with the number of calls and the nanoseconds of some of them.
enum ClientWork: String {
    static let argument = "client"

    /// Finds with data in the keychain that the environment names: a daemon's, or the process's
    /// own.
    case find
    /// Sends and receives messages of the same size over one connection, without a keychain.
    case echo
    /// Connects to the daemon and exchanges the greeting.
    case connect
    /// Connects, and sends and receives messages of the same size.
    case echoConnect = "echo-connect"

    /// The largest number of prepared calls; after the last one, the first is used again.
    private static let preparedCount = 1000

    /// Runs until standard input ends.
    ///
    /// The arguments are the work, the number of this client, the number of items in the keychain,
    /// and the path of the socket.
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

    /// Runs the floor as a server until the process is killed.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - sizes: The numbers of bytes in each direction.
    ///   - itemCount: The number of items, of which each request finds one; nil finds none.
    /// - Throws: `BenchmarkError` if it cannot listen, or when the floor ends.
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

    /// Makes connections, uses each one once, and keeps them until standard input ends.
    ///
    /// To the daemon, each one belongs to a different program.
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
