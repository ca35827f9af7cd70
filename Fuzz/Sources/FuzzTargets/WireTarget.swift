import KeychainWire
import Secrets

extension FuzzTarget {
    /// The body of a frame from a client, as a daemon reads it.
    ///
    /// A message is written as it was read, byte for byte, and its token is read alone as well.
    static let wireClientMessage = FuzzTarget(name: "wire-client-message") {
        bytes throws(BrokenLaw) in
        let message: ClientMessage
        do {
            message = try bytes.withUnsafeBytes { try ClientMessage.decode($0) }.message
        } catch {
            return .refused
        }
        let token = Secret(copying: bytes[1...SessionToken.byteCount])
        let session = SessionToken(SharedSecret(token))
        let first = try? bytes.withUnsafeBytes { try ClientMessage.token(of: $0) }
        try require(first?.token.matches(session) == true, "a token is read before the rest")
        try requireSame(bytes) { buffer throws(WireError) in
            try message.encode(token: session, into: &buffer)
        }
        return .accepted
    }

    /// A message of a daemon, over all of its frames, as a client reads it.
    ///
    /// A message is written as it was read, byte for byte.
    static let wireDaemonMessage = FuzzTarget(name: "wire-daemon-message") {
        bytes throws(BrokenLaw) in
        let message: DaemonMessage
        do {
            message = try bytes.withUnsafeBytes { try DaemonMessage.decode($0) }
        } catch {
            return .refused
        }
        try requireSame(bytes) { buffer throws(WireError) in try message.encode(into: &buffer) }
        return .accepted
    }

    private static func requireSame(
        _ bytes: [UInt8],
        _ encode: (inout WireBuffer) throws(WireError) -> Void
    ) throws(BrokenLaw) {
        var buffer = WireBuffer()
        do throws(WireError) { try encode(&buffer) } catch {
            throw BrokenLaw(law: "what is read can be written: \(error.words)")
        }
        let isSame = buffer.withUnsafeBytes { $0.elementsEqual(bytes) }
        try require(isSame, "a message is written as it was read")
    }
}
