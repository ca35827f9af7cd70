import SystemBus

/// The default fingerprint reader of this machine, as fprintd has it.
///
/// - Source: fprintd's D-Bus interfaces `net.reactivated.Fprint.Manager` and `.Device`.
struct FingerprintDevice: ~Copyable {
    private static let service = "net.reactivated.Fprint"
    private static let noEnrolledPrints = "net.reactivated.Fprint.Error.NoEnrolledPrints"
    private static let anyFinger = "any"

    private let bus: SystemBus
    private let device: BusMethod
    /// Whose fingers; empty for those of whoever calls.
    private let user: String

    /// Finds the reader.
    ///
    /// - Parameter user: Whose fingers; for another user than the caller polkit has to allow
    ///   `net.reactivated.fprint.device.setusername`.
    /// - Throws: `BusError` where there is none, or nobody to ask for it.
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

    /// The names of the fingers that are enrolled.
    borrowing func fingers() throws(BusError) -> [String] {
        do throws(BusError) {
            let list = device.method("ListEnrolledFingers")
            return try bus.call(list, [user]) { $0.texts() }
        } catch {
            guard error.name == Self.noEnrolledPrints else { throw error }
            return []
        }
    }

    /// What the reader is polled at.
    var descriptor: Int32 { bus.descriptor }

    /// Claims the reader and has it wait for a finger.
    borrowing func start() throws(BusError) {
        try bus.listen(to: device)
        try bus.call(device.method("Claim"), [user]) { _ in }
        try restart(isFirst: true)
    }

    /// Has the reader wait for another try.
    borrowing func restart(isFirst: Bool = false) throws(BusError) {
        if !isFirst { try bus.call(device.method("VerifyStop")) { _ in } }
        try bus.call(device.method("VerifyStart"), [Self.anyFinger]) { _ in }
    }

    /// Gives the reader back, which the end of the connection does as well.
    borrowing func stop() {
        try? bus.call(device.method("VerifyStop")) { _ in }
        try? bus.call(device.method("Release")) { _ in }
    }

    /// What the reader has said and was not yet heard; nil when there is nothing.
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

/// What a reader says while it waits for a finger.
enum FingerprintEvent {
    /// The finger that it waits for, or `any`.
    case selected(String)
    /// The word for what came of a touch, and whether the reader has stopped waiting.
    case status(String, isDone: Bool)

    /// nil for any other message.
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
