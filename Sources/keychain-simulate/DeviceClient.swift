import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainWire
import MessageTransport

/// The command's connection to a device in another process.
enum DeviceClient {
    /// Sends the words of a command.
    ///
    /// - Returns: The output of the device.
    /// - Throws: The device's error, or the reason why it does not answer.
    static func act(
        on place: SimulationSocket,
        _ words: [String]
    ) throws(KeychainError) -> String {
        let path = try place.served()
        do throws(ConnectionError) {
            let connection = try ClientConnection(connectingTo: path, ClientHello())
            try connection.send(.daemon(.simulate(words)))
            switch try connection.receive() {
            case .daemon(.simulated(let text)): return text
            case .failure(let error, _), .refusal(let error): throw .refused(error)
            default: throw .refused(.unexpectedReply)
            }
        } catch {
            if case .refused(let refusal) = error { throw refusal }
            let advice = "if it is still running, stop it and start it again"
            throw KeychainError(
                .notAvailable,
                "the simulated device \(place.name) at \(path) does not answer: \(advice)"
            )
        }
    }
}
