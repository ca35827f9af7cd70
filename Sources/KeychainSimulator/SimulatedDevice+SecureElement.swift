import KeychainEngine

// The secure element: on Apple's hardware, opening a value uses it once.
extension SimulatedDevice {
    /// The virtual time that one use of the secure element takes; zero by default.
    ///
    /// ```swift
    /// let phone = try SimulatedDevice()
    /// phone.secureElementLatency = .milliseconds(4)
    /// // Reading 1,000 values now takes 4 seconds of virtual time.
    /// ```
    public var secureElementLatency: Duration {
        get { clock.elementLatency }
        set { clock.elementLatency = max(newValue, .zero) }
    }

    /// The number of uses of the secure element so far: one for each value that was read.
    ///
    /// Reading attributes uses none.
    public var secureElementTrips: Int {
        // An engine whose files fail has read nothing.
        (try? engine.counters.elementTrips) ?? 0
    }
}
