import KeychainModel
import KeychainServices
import KeychainSimulator

/// What a scenario file says, checked: devices, apps and items, and what happens to them.
///
/// - Source: Documentation/Spec/scenario.md.
package struct Scenario: Sendable {
    package let title: String
    /// At least one; the first is meant where an event names none.
    package let devices: [DeviceSetup]
    /// At least one; the first is meant where nothing names one.
    package let apps: [AppSetup]
    package let items: [ItemSetup]
    package let files: [FileSetup]
    package let events: [ScenarioEvent]
}

extension Scenario {
    /// A device as it is at the start.
    package struct DeviceSetup: Sendable {
        package let name: String
        /// nil: a device without one.
        package let passcode: String?
        package let biometry: SimulatedDevice.Biometry
        package let system: SystemProfile
        package let behavior: BehaviorName
    }

    /// One of the two behavior profiles, by its name.
    package enum BehaviorName: String, CaseIterable, Sendable, Codable {
        case documented, appleSource

        package var profile: BehaviorProfile {
            switch self {
            case .documented: .documented
            case .appleSource: .appleSource
            }
        }
    }

    /// An app, which every device has from the start.
    package struct AppSetup: Sendable {
        package let name: String
        package let manifest: SimulatedApp.Manifest
    }

    /// An item as an event would add it.
    package struct ItemSetup: Sendable {
        package let name: String
        /// The name of the app that uses it where an event names none.
        package let app: String
        package let itemClass: PasswordClass
        package let account: String
        /// The server of an internet password.
        package let service: String
        /// With the team prefix; nil: the app's default group.
        package let group: String?
        /// nil: not given.
        package let accessible: ProtectionClass?
        /// Whether the devices of the account exchange it.
        package let isSynchronizable: Bool
        /// nil: no access control.
        package let requirement: AccessControlRequirement?
        package let value: String
    }

    /// The item classes of scenarios.
    package enum PasswordClass: String, CaseIterable, Sendable {
        case genericPassword, internetPassword
    }
}

/// Flags of an access control with the names that a file gave them.
package struct AccessControlRequirement: Sendable {
    package let flags: SecAccessControlCreateFlags
    package let names: [String]

    /// Takes names of the table; nil if one of them is not in it.
    package init?(_ names: [String]) {
        var flags: SecAccessControlCreateFlags = []
        for name in names {
            guard let row = Self.table.first(where: { $0.name == name }) else { return nil }
            flags.insert(row.flag)
        }
        self.flags = flags
        self.names = names
    }

    /// Every flag that an item of a scenario can have, by Apple's name.
    package static let table: [(name: String, flag: SecAccessControlCreateFlags)] = [
        ("userPresence", .userPresence),
        ("biometryAny", .biometryAny),
        ("biometryCurrentSet", .biometryCurrentSet),
        ("devicePasscode", .devicePasscode),
        ("companion", .companion),
        ("or", .or),
        ("and", .and),
        ("applicationPassword", .applicationPassword),
    ]
}

extension ProtectionClass {
    /// What follows `kSecAttrAccessible` in the name of its constant.
    package var suffix: String { String(row.constant.dropFirst("kSecAttrAccessible".count)) }
}
