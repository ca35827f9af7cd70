import KeychainEngine

// The secure element: on Apple's hardware the key of each value makes a trip to it.
extension SimulatedDevice {
    /// How much virtual time a trip to the secure element takes; by default none.
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

    /// How many trips to the secure element were made so far: one for each value that was read.
    ///
    /// Reading attributes makes none.
    public var secureElementTrips: Int {
        // An engine whose files fail has read nothing.
        (try? engine.counters.elementTrips) ?? 0
    }
}
