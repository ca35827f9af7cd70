import CSystemd

extension SystemBus {
    /// Waits until the bus has accepted the connection, and sets the same time limit for later
    /// calls.
    ///
    /// Without this, a bus that accepts but does not reply takes 90 seconds, and a call 25.
    ///
    /// ```swift
    /// let bus = try SystemBus(.session)
    /// try bus.enter(within: .seconds(3))
    /// ```
    /// - Throws: `BusError` after the time limit, or if the connection failed. The connection is
    ///   then closed.
    package borrowing func enter(within duration: Duration) throws(BusError) {
        let end = ContinuousClock.now + duration
        do throws(BusError) {
            while sd_bus_is_ready(bus) == 0 {
                let rest = end - ContinuousClock.now
                guard rest > .zero else { throw BusError(name: nil) }
                if case .idle = try next({ _ in () }) { try wait(atMost: rest) }
            }
            let microseconds = UInt64(max(1, duration / .microseconds(1)))
            guard sd_bus_is_ready(bus) > 0,
                sd_bus_set_method_call_timeout(bus, microseconds) >= 0
            else { throw BusError(name: nil) }
        } catch {
            // Flushing at the end would wait as long.
            sd_bus_close(bus)
            throw error
        }
    }
}
