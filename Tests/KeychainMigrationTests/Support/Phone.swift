import Foundation
import KeychainMigration
import KeychainServices
import KeychainSimulator

/// A simulated phone with one app on it.
struct Phone: Sendable {
    let device: SimulatedDevice
    let app: SimulatedApp
    static let team = "TEAMID1234"

    init(
        groups: [String] = ["com.example.app", "com.example.shared"],
        passcode: String? = "0000"
    ) throws {
        device = try SimulatedDevice(passcode: passcode)
        app = device.install(
            .init(bundleIdentifier: "com.example.app", keychainAccessGroups: groups)
        )
    }

    func unlock() throws { try device.unlock(passcode: "0000") }

    /// An app of the same device under another team.
    func transferred(to team: String) -> SimulatedApp {
        device.install(
            .init(
                bundleIdentifier: "com.example.app",
                teamIdentifier: team,
                keychainAccessGroups: ["com.example.app", "com.example.shared"]
            )
        )
    }

    /// Protected data as this phone has it.
    var protectedData: PhoneData { PhoneData(device: device) }
    /// Whether protected data can be read, for old stores that are closed with the phone.
    var isOpen: @Sendable () -> Bool { { [device] in device.isProtectedDataAvailable } }
}

/// What a phone says of its protected data.
struct PhoneData: ProtectedData {
    let device: SimulatedDevice

    func isAvailable() async -> Bool { device.isProtectedDataAvailable }
    var becameAvailable: Notification.Name? {
        SimulatedDevice.protectedDataDidBecomeAvailableNotification
    }
}

/// Protected data that is always there.
struct AlwaysAvailable: ProtectedData {
    func isAvailable() async -> Bool { true }
    var becameAvailable: Notification.Name? { nil }
}

extension ItemAddress {
    /// A generic password of the service `com.example.app`.
    static func token(_ account: String = "token", service: String = "com.example.app")
        -> ItemAddress
    {
        .genericPassword(service: service, account: account)
    }
}

extension Keychain {
    /// The text of an item; nil if there is none.
    func text(_ address: ItemAddress) throws -> String? {
        try read(address)?.value.map {
            String(decoding: $0.copyBytesUnprotected(), as: UTF8.self)
        }
    }

    /// Adds an item with a text.
    func add(
        _ address: ItemAddress,
        _ text: String,
        accessibility: ItemAccessibility? = .standard,
        label: String? = nil
    ) throws {
        var item = KeychainItem(
            at: address,
            accessibility: accessibility,
            value: SecretBytes(text)
        )
        if let label { item.attributes[.label] = .text(label) }
        try add(item)
    }
}

extension SecretBytes {
    var text: String { String(decoding: copyBytesUnprotected(), as: UTF8.self) }
}

extension MigrationReport {
    var outcomes: [MoveOutcome] { lines.map(\.outcome) }
}
