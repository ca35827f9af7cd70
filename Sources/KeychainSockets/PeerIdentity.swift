/// The sender of a message, as the kernel reports it.
///
/// - Source: unix(7), `SCM_CREDENTIALS`.
package struct PeerIdentity: Sendable, Hashable {
    package let processID: Int32
    package let userID: UInt32
    package let groupID: UInt32

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }
}
