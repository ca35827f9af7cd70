import Foundation
import KeychainSimulator
import Security
import Testing

/// A contradiction with a switch: what one call returns under either profile, and once the switch
/// is turned.
struct Dispute: Sendable, CustomTestStringConvertible {
    /// The behavior that a device is made with.
    enum Side: String, CaseIterable, Sendable { case documented, appleSource, turned }

    /// A row of Documentation/Contradictions.md.
    let id: String
    /// Statuses; where a count is what matters, that count.
    let documented: OSStatus
    let appleSource: OSStatus
    let turned: OSStatus
    var system = SystemProfile.iOS(26)
    /// What the question needs whatever the answer is.
    var premise: @Sendable (inout BehaviorProfile) -> Void = { _ in }
    /// Chooses another answer than the guides'.
    let turn: @Sendable (inout BehaviorProfile) -> Void
    /// The call, by an app of the device.
    let call: @Sendable (SimulatedDevice) throws -> OSStatus

    var testDescription: String { id }

    func answer(_ side: Side) -> OSStatus {
        switch side {
        case .documented: documented
        case .appleSource: appleSource
        case .turned: turned
        }
    }

    func behavior(_ side: Side) -> BehaviorProfile {
        var behavior = side == .appleSource ? BehaviorProfile.appleSource : .documented
        premise(&behavior)
        if side == .turned { turn(&behavior) }
        return behavior
    }

    /// What the call returns on a new device.
    func observe(_ side: Side) throws -> OSStatus {
        let device = try SimulatedDevice(system: system, behavior: behavior(side))
        let app = device.install(
            .init(bundleIdentifier: "com.example.app", keychainAccessGroups: ["own", "shared"])
        )
        return try app.run { try call(device) }
    }
}
