import Foundation
import Glibc
import KeychainMessages
import KeychainSimulator

/// The endpoint that the calls of simulated apps go through, by the variable
/// `KEYCHAIN_CONFORMANCE_ENDPOINT`: `embedded`, `user-daemon` or `system-daemon`.
///
/// With a daemon, every call goes through a socket, the codec, the server and the session code of
/// the daemon, in this process.
enum EndpointChoice {
    static let variable = "KEYCHAIN_CONFORMANCE_ENDPOINT"

    /// The endpoint of this run.
    static let kind: EndpointDescription.Kind = {
        guard let word = getenv(variable).map({ String(cString: $0) }) else { return .embedded }
        guard let kind = EndpointDescription.Kind(rawValue: word), kind != .simulated else {
            let line = "\(variable) is '\(word)': set embedded, user-daemon or system-daemon\n"
            FileHandle.standardError.write(Data(line.utf8))
            exit(2)
        }
        return kind
    }()
}

/// Called once, before the first test, where the variable is set.
@_cdecl("conformance_begin")
public func conformanceBegin() {
    guard EndpointChoice.kind != .embedded else { return }
    do {
        SimulatedDevice.callCarrier = try SocketCarrier(EndpointChoice.kind)
    } catch {
        let line = "\(EndpointChoice.variable): \(error)\n"
        FileHandle.standardError.write(Data(line.utf8))
        exit(1)
    }
}
