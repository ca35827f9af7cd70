import KeychainModel

/// An endpoint behind which there is a daemon, which can be asked about itself.
package protocol DaemonChannel: Sendable {
    /// Asks the daemon.
    ///
    /// - Throws: What the daemon refuses, and what keeps it from being reached.
    func perform(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply
}
