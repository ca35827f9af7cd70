import KeychainModel

/// An endpoint with a daemon behind it, which answers requests about itself.
package protocol DaemonChannel: Sendable {
    /// Sends a request to the daemon.
    ///
    /// - Throws: The daemon's refusal, or the reason why it cannot be reached.
    func perform(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply

    /// Returns the kind of the daemon, from the daemon itself.
    ///
    /// - Throws: The reason why the daemon cannot be reached.
    func kind() throws(KeychainError) -> EndpointDescription.Kind
}
