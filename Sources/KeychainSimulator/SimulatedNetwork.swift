/// The network between a simulated device and its account's relay.
///
/// ```swift
/// phone.network.isOffline = true
/// tablet.network.delay = .seconds(30)
/// ```
public struct SimulatedNetwork: Sendable, Hashable {
    /// Whether the device is without a connection.
    public var isOffline: Bool
    /// The virtual time until the device sees the changes of others.
    public var delay: Duration

    /// Creates a network.
    public init(isOffline: Bool = false, delay: Duration = .zero) {
        self.isOffline = isOffline
        self.delay = delay
    }
}
