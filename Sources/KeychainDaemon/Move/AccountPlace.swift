import KeychainHost
import KeychainModel

/// The names of an account's keychain in a daemon's directory.
struct AccountPlace {
    let account: UInt32
    let directory: String
    private let state: String

    init(state: String, account: UInt32) {
        self.state = state
        self.account = account
        directory = "\(state)/\(account)"
    }

    /// A copy that comes in.
    var adopting: String { directory + ".adopting" }
    /// An empty keychain in whose place a copy is put.
    var replaced: String { directory + ".replaced" }

    /// The keychain that was released last; nil if none was.
    func newestReleased() throws(KeychainError) -> String? {
        let prefix = "\(account).released-"
        return try MoveFolder.names(in: state).filter { $0.hasPrefix(prefix) }
            .max { left, right in
                left.count != right.count ? left.count < right.count : left < right
            }
            .map { "\(state)/\($0)" }
    }
}
