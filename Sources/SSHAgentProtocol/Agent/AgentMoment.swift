/// The time of a request, on two clocks.
package struct AgentMoment: Sendable {
    /// The time since the machine started, including suspension.
    package let uptime: Duration
    /// Seconds since 1970, for certificates.
    package let secondsSince1970: UInt64

    package init(uptime: Duration, secondsSince1970: UInt64) {
        self.uptime = uptime
        self.secondsSince1970 = secondsSince1970
    }
}
