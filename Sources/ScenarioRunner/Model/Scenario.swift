import KeychainModel
import KeychainServices
import KeychainSimulator

/// A checked scenario: its devices, apps and items, and the events that happen to them.
///
/// - Source: Documentation/Spec/scenario.md.
package struct Scenario: Sendable {
    package let title: String
    /// The devices, at least one.
    ///
    /// An event without a device's name happens to the first.
    package let devices: [DeviceSetup]
    /// The apps, at least one.
    ///
    /// The first is the default wherever no name is given.
    package let apps: [AppSetup]
    package let items: [ItemSetup]
    package let files: [FileSetup]
    package let events: [ScenarioEvent]
}

extension Scenario {
    /// A device in its state at the start.
    package struct DeviceSetup: Sendable {
        package let name: String
        /// The passcode; nil for a device without one.
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

    /// An app that is installed on every device from the start.
    package struct AppSetup: Sendable {
        package let name: String
        package let manifest: SimulatedApp.Manifest
    }

    /// An item with the attributes that an event adds it with.
    package struct ItemSetup: Sendable {
        package let name: String
        /// The app that uses the item if an event names none.
        package let app: String
        package let itemClass: PasswordClass
        package let account: String
        /// The service, or the server of an internet password.
        package let service: String
        /// The access group with the team's prefix; nil for the app's default group.
        package let group: String?
        /// The accessibility; nil if the item is added without one.
        package let accessible: ProtectionClass?
        /// Whether the devices of the account exchange the item.
        package let isSynchronizable: Bool
        /// The access control; nil if there is none.
        package let requirement: AccessControlRequirement?
        package let value: String
    }

    /// The item classes of scenarios.
    package enum PasswordClass: String, CaseIterable, Sendable {
        case genericPassword, internetPassword
    }
}

/// The flags of an access control, with their names in the file.
package struct AccessControlRequirement: Sendable {
    package let flags: SecAccessControlCreateFlags
    package let names: [String]

    /// Makes the flags from their names; nil if a name is unknown.
    package init?(_ names: [String]) {
        var flags: SecAccessControlCreateFlags = []
        for name in names {
            guard let row = Self.table.first(where: { $0.name == name }) else { return nil }
            flags.insert(row.flag)
        }
        self.flags = flags
        self.names = names
    }

    /// Every flag that an item of a scenario can have, with Apple's name.
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
    /// The part of the constant's name after `kSecAttrAccessible`.
    package var suffix: String { String(row.constant.dropFirst("kSecAttrAccessible".count)) }
}
