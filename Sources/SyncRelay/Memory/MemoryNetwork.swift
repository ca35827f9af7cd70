import KeychainSync

/// The way between one device and the server, under a test's control.
package struct MemoryNetwork: Sendable {
    /// Whether the server cannot be reached.
    package var isOffline = false
    /// How long it takes on the server's clock until the device sees what others kept.
    package var delay = Duration.zero
    /// Whether answers get lost: the server keeps what it gets, and the device does not hear of it.
    package var losesAnswers = false
    /// The number from which on entries of a stream are kept from the device.
    package var withheld: [StreamName: UInt64] = [:]
    /// What the device is shown in the place of other entries.
    package var disguised: [EntryPlace: [UInt8]] = [:]
    /// Links that are kept from the device, .
    package var hiddenLinks: Set<LinkPlace> = []

    /// A network without faults.
    package init() {}
}
