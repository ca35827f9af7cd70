import Foundation

/// When an item can be read: a value of `kSecAttrAccessible`.
public struct ItemAccessibility: RawRepresentable, Codable, Hashable, Sendable {
    /// The constant's value, such as `cku`.
    public let rawValue: String

    /// The accessibility with a constant's value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// While unlocked, and only while a passcode is set; never leaves the device.
    public static let whenPasscodeSetThisDeviceOnly = ItemAccessibility(rawValue: "akpu")
    /// While unlocked; never leaves the device.
    public static let whenUnlockedThisDeviceOnly = ItemAccessibility(rawValue: "aku")
    /// While unlocked.
    public static let whenUnlocked = ItemAccessibility(rawValue: "ak")
    /// From the first unlock on; never leaves the device.
    public static let afterFirstUnlockThisDeviceOnly = ItemAccessibility(rawValue: "cku")
    /// From the first unlock on.
    public static let afterFirstUnlock = ItemAccessibility(rawValue: "ck")

    /// Whether no backup carries an item with it to another device.
    package var isThisDeviceOnly: Bool { ["akpu", "aku", "cku", "dku"].contains(rawValue) }

    /// What migrated credentials get: within reach of background work, and bound to the device.
    ///
    /// - Source: Migration guide, Background Launch and the Locked-Device Trap.
    public static let standard = afterFirstUnlockThisDeviceOnly
}

/// Accessibility and constraints of an item: what a `SecAccessControl` stands for.
public struct ItemAccessControl: Codable, Hashable, Sendable {
    /// When the item can be read.
    public let accessibility: ItemAccessibility
    /// The bits of `SecAccessControlCreateFlags`.
    public let flags: UInt

    /// A combination; whether it is a legal one shows when an item is made with it.
    public init(accessibility: ItemAccessibility, flags: UInt) {
        self.accessibility = accessibility
        self.flags = flags
    }
}

/// An item as it is moved: everything of it that can be given to another item.
public struct KeychainItem: Sendable {
    /// The class.
    public var kind: ItemKind
    /// All attributes that a program may set, access group and synchronizability among them.
    public var attributes: [ItemAttribute: ItemValue]
    /// When it can be read; nil leaves that to the keychain.
    public var accessibility: ItemAccessibility?
    /// Its constraints, if it has any; then ``accessibility`` is not used.
    public var accessControl: ItemAccessControl?
    /// Whether it has constraints that the public interface does not tell.
    public var hasUnknownConstraints = false
    /// When it was made.
    public var created: Date?
    /// Its persistent reference, if it was read.
    public var reference: Data?
    /// Its secret; nil if it was not read.
    public var value: SecretBytes?

    /// An item with these properties.
    public init(
        kind: ItemKind,
        attributes: [ItemAttribute: ItemValue] = [:],
        accessibility: ItemAccessibility? = nil,
        accessControl: ItemAccessControl? = nil,
        value: SecretBytes? = nil
    ) {
        self.kind = kind
        self.attributes = attributes
        self.accessibility = accessibility
        self.accessControl = accessControl
        self.value = value
    }

    /// An item at an address.
    public init(
        at address: ItemAddress,
        accessibility: ItemAccessibility? = .standard,
        value: SecretBytes? = nil
    ) {
        self.init(
            kind: address.kind,
            attributes: address.attributes,
            accessibility: accessibility,
            value: value
        )
    }

    /// Whether the user has to be asked for it.
    public var isGated: Bool {
        hasUnknownConstraints || (accessControl.map { $0.flags != 0 } ?? false)
    }

    /// The primary key, with access group and synchronizability.
    public var address: ItemAddress {
        let names = Set(kind.primaryKey + [.accessGroup, .synchronizable])
        var address = ItemAddress(
            kind: kind,
            attributes: attributes.filter { names.contains($0.key) }
        )
        // A local item says 0; an address leaves it out.
        if !address.isSynchronizable { address.isSynchronizable = false }
        return address
    }
}

/// What an update gives an item; what is nil or missing stays as it is.
public struct ItemChange: Sendable {
    /// New values of attributes outside the primary key.
    public var attributes: [ItemAttribute: ItemValue]
    /// A new accessibility.
    public var accessibility: ItemAccessibility?
    /// A new secret.
    public var value: SecretBytes?

    /// A change of some attributes, the accessibility or the secret.
    public init(
        attributes: [ItemAttribute: ItemValue] = [:],
        accessibility: ItemAccessibility? = nil,
        value: SecretBytes? = nil
    ) {
        self.attributes = attributes
        self.accessibility = accessibility
        self.value = value
    }

    /// Whether nothing would change.
    public var isEmpty: Bool { attributes.isEmpty && accessibility == nil && value == nil }
}
