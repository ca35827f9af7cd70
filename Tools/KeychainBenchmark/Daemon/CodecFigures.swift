import KeychainMessages
import KeychainWire
import Secrets

/// The cost of writing and reading the messages of a find with data, without a socket.
enum CodecFigures {
    private static let rounds = 50
    private static let calls = 400

    static func figures() throws -> [Figure] {
        let item = SampleItem(number: 0)
        let request = ClientMessage.request(.items(.copyMatching(item.query)))
        let value = SharedSecret(Secret(copying: [UInt8](item.secret)))
        let reply = DaemonMessage.reply(.items(.result(.data(value))), [])
        var buffer = WireBuffer()
        let asking = try PairedTimes(rounds: rounds, calls: calls) { _ in
            try request.encode(token: nil, into: &buffer)
            _ = try buffer.withUnsafeBytes { bytes throws(WireError) in
                try ClientMessage.decode(bytes).message
            }
        }
        let answering = try PairedTimes(rounds: rounds, calls: calls) { _ in
            try reply.encode(into: &buffer)
            _ = try buffer.withUnsafeBytes { bytes throws(WireError) in
                try DaemonMessage.decode(bytes)
            }
        }
        return [
            asking.figure("writing and reading a find's request", items: nil, target: nil),
            answering.figure("writing and reading its reply", items: nil, target: nil),
        ].compactMap { $0 }
    }
}
