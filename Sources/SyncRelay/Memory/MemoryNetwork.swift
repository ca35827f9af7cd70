import KeychainSync

/// The network between one device and the server, which a test controls.
package struct MemoryNetwork: Sendable {
    /// Whether the server is unreachable.
    package var isOffline = false
    /// The delay on the server's clock until the device sees the changes of others.
    package var delay = Duration.zero
    /// Whether responses get lost: the server stores changes, but the device gets no confirmation.
    package var losesAnswers = false
    /// The number of the first entry in each stream that is hidden from the device.
    package var withheld: [StreamName: UInt64] = [:]
    /// The bytes that the device sees in place of other entries.
    package var disguised: [EntryPlace: [UInt8]] = [:]
    /// Links that are hidden from the device.
    package var hiddenLinks: Set<LinkPlace> = []

    /// Makes a network without faults.
    package init() {}
}
