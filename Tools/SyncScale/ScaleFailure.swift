import KeychainSyncDriver
import SyncRelay

/// The reason why there are no figures, in words.
struct ScaleFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(_ error: any Error) {
        switch error {
        case let failure as ScaleFailure: self = failure
        case let relay as RelayError: description = relay.words
        case SyncFailure.relay(let relay): description = relay.words
        default: description = "\(error)"
        }
    }
}
