import Foundation
import KeychainSimulator
import LocalAuthentication
import Security

/// A place where the library calls a function of the program by itself.
enum LibraryCallback: CaseIterable, Sendable {
    case replyToPolicy, replyToAccessControl, promptOfPolicy, promptOfItem, observerOfLock
    case observerOfUnlock, observerInApp, handlerOfCredentials

    /// Has the library call the work, which the app handed over, and waits for what it returns.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value,
        in app: SimulatedApp,
        on device: SimulatedDevice
    ) async -> Value? {
        let (values, sink) = AsyncStream.makeStream(of: Value.self)
        let body: @Sendable () -> Void = { sink.yield(work()) }
        let observer = app.run { handOver(body, in: app, on: device) }
        defer { observer.map(NotificationCenter.default.removeObserver) }
        if self == .observerOfLock { device.lock() }
        if self == .observerOfUnlock { try? device.unlock(passcode: "0000") }
        return await values.first { _ in true }
    }

    private func handOver(
        _ body: @escaping @Sendable () -> Void,
        in app: SimulatedApp,
        on device: SimulatedDevice
    ) -> (any NSObjectProtocol)? {
        switch self {
        case .replyToPolicy: Self.evaluate { _, _ in body() }
        case .promptOfPolicy:
            device.script(.after({ _ in body() }, .present("owner")))
            Self.evaluate { _, _ in }
        case .replyToAccessControl: Self.evaluateAccessControl { _, _ in body() }
        case .promptOfItem:
            device.script(.after({ _ in body() }, .present("owner")))
            let gated = Password(account: "gated")
            if let control = Self.control() { gated.add("x", [kSecAttrAccessControl: control]) }
            _ = gated.read()
        case .observerOfLock: return Self.observe(.gone, of: device, body)
        case .observerOfUnlock:
            device.lock()
            return Self.observe(.back, of: device, body)
        case .observerInApp:
            defer { device.lock() }
            return Self.observe(.gone, of: device, body)
        case .handlerOfCredentials:
            SecAddSharedWebCredential("example.com" as CFString, "ada" as CFString, nil) { _ in
                body()
            }
        }
        return nil
    }
}

// The calls that take such functions.
extension LibraryCallback {
    private static func evaluate(_ reply: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        LAContext().evaluatePolicy(
            .deviceOwnerAuthentication,
            localizedReason: "why",
            reply: reply
        )
    }

    private static func evaluateAccessControl(
        _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        guard let control = control() else { return }
        LAContext().evaluateAccessControl(
            control,
            operation: .useItem,
            localizedReason: "why",
            reply: reply
        )
    }

    private static func control() -> SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
    }

    private static func observe(
        _ name: Notification.Name,
        of device: SimulatedDevice,
        _ body: @escaping @Sendable () -> Void
    ) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: name, object: device, queue: nil) { _ in
            body()
        }
    }
}

extension Notification.Name {
    static let gone = SimulatedDevice.protectedDataWillBecomeUnavailableNotification
    static let back = SimulatedDevice.protectedDataDidBecomeAvailableNotification
}
