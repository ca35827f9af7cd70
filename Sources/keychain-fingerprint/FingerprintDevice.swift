import SystemBus

/// The default fingerprint reader of this machine, through fprintd.
///
/// - Source: fprintd's D-Bus interfaces `net.reactivated.Fprint.Manager` and `.Device`.
struct FingerprintDevice: ~Copyable {
    private static let service = "net.reactivated.Fprint"
    private static let noEnrolledPrints = "net.reactivated.Fprint.Error.NoEnrolledPrints"
    private static let anyFinger = "any"

    private let bus: SystemBus
    private let device: BusMethod
    /// The account of the fingers; empty for the caller's.
    private let user: String

    /// Finds the reader.
    ///
    /// - Parameter user: The account of the fingers. For another account than the caller's, polkit
    ///   must permit `net.reactivated.fprint.device.setusername`.
    /// - Throws: `BusError` if there is no reader, or no fprintd.
    init(of user: String?) throws(BusError) {
        self.user = user ?? ""
        let bus = try SystemBus()
        let manager = BusMethod(
            service: Self.service,
            path: "/net/reactivated/Fprint/Manager",
            interface: "net.reactivated.Fprint.Manager"
        )
        let path = try bus.call(manager.method("GetDefaultDevice")) { $0.path() }
        guard let path else { throw BusError(name: nil) }
        self.bus = bus
        device = BusMethod(
            service: Self.service,
            path: path,
            interface: "net.reactivated.Fprint.Device"
        )
    }

    /// Returns the names of the enrolled fingers.
    borrowing func fingers() throws(BusError) -> [String] {
        do throws(BusError) {
            let list = device.method("ListEnrolledFingers")
            return try bus.call(list, [user]) { $0.texts() }
        } catch {
            guard error.name == Self.noEnrolledPrints else { throw error }
            return []
        }
    }

    /// The descriptor to poll for events.
    var descriptor: Int32 { bus.descriptor }

    /// Claims the reader, and starts to wait for a finger.
    borrowing func start() throws(BusError) {
        try bus.listen(to: device)
        try bus.call(device.method("Claim"), [user]) { _ in }
        try restart(isFirst: true)
    }

    /// Makes the reader wait for another attempt.
    borrowing func restart(isFirst: Bool = false) throws(BusError) {
        if !isFirst { try bus.call(device.method("VerifyStop")) { _ in } }
        try bus.call(device.method("VerifyStart"), [Self.anyFinger]) { _ in }
    }

    /// Releases the reader, as the end of the connection also does.
    borrowing func stop() {
        try? bus.call(device.method("VerifyStop")) { _ in }
        try? bus.call(device.method("Release")) { _ in }
    }

    /// Returns the next event that has arrived; nil if there is none.
    borrowing func next() throws(BusError) -> FingerprintEvent? {
        while true {
            switch try bus.next(FingerprintEvent.init) {
            case .idle: return nil
            case .worked: continue
            case .value(let event): return event
            }
        }
    }
}

/// An event of a reader that waits for a finger.
enum FingerprintEvent {
    /// The expected finger, or `any`.
    case selected(String)
    /// The result of a touch in fprintd's words, and whether the reader has stopped waiting.
    case status(String, isDone: Bool)

    /// Converts a message; nil for any other message.
    init?(_ message: BusMessage) {
        switch message.member {
        case "VerifyFingerSelected"?:
            guard let finger = message.text() else { return nil }
            self = .selected(finger)
        case "VerifyStatus"?:
            guard let word = message.text(), let isDone = message.flag() else { return nil }
            self = .status(word, isDone: isDone)
        default: return nil
        }
    }
}
