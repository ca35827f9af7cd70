/// When a request arrives: what the agent is told of time.
package struct AgentMoment: Sendable {
    /// Since the machine started, suspended time included.
    package let uptime: Duration
    /// Seconds since 1970, for certificates.
    package let secondsSince1970: UInt64

    package init(uptime: Duration, secondsSince1970: UInt64) {
        self.uptime = uptime
        self.secondsSince1970 = secondsSince1970
    }
}
