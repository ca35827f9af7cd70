import Foundation

/// A value of `kSecAttrAccessible`, which says when an item can be read.
///
/// ```swift
/// let item = KeychainItem(at: token, accessibility: .afterFirstUnlock)
/// ```
public struct ItemAccessibility: RawRepresentable, Codable, Hashable, Sendable {
    /// The value of the constant, such as `cku`.
    public let rawValue: String

    /// Creates an accessibility from the value of its constant.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Readable while the device is unlocked and has a passcode; the item never leaves the device.
    public static let whenPasscodeSetThisDeviceOnly = ItemAccessibility(rawValue: "akpu")
    /// Readable while the device is unlocked; the item never leaves the device.
    public static let whenUnlockedThisDeviceOnly = ItemAccessibility(rawValue: "aku")
    /// Readable while the device is unlocked.
    public static let whenUnlocked = ItemAccessibility(rawValue: "ak")
    /// Readable from the first unlock on; the item never leaves the device.
    public static let afterFirstUnlockThisDeviceOnly = ItemAccessibility(rawValue: "cku")
    /// Readable from the first unlock on.
    public static let afterFirstUnlock = ItemAccessibility(rawValue: "ck")

    /// Whether no backup carries an item with it to another device.
    package var isThisDeviceOnly: Bool { ["akpu", "aku", "cku", "dku"].contains(rawValue) }

    /// The accessibility of migrated credentials: background work can read them, and they stay on
    /// the device.
    ///
    /// - Source: Migration guide, Background Launch and the Locked-Device Trap.
    public static let standard = afterFirstUnlockThisDeviceOnly
}

/// The accessibility and the constraints of an item, which a `SecAccessControl` represents.
///
/// ```swift
/// let control = ItemAccessControl(
///     accessibility: .whenUnlockedThisDeviceOnly,
///     flags: SecAccessControlCreateFlags.userPresence.rawValue
/// )
/// ```
public struct ItemAccessControl: Codable, Hashable, Sendable {
    /// The accessibility, which says when the item can be read.
    public let accessibility: ItemAccessibility
    /// The bits of `SecAccessControlCreateFlags`.
    public let flags: UInt

    /// Creates a combination, which the keychain checks when it adds an item with it.
    public init(accessibility: ItemAccessibility, flags: UInt) {
        self.accessibility = accessibility
        self.flags = flags
    }
}

/// An item in transit, with every property that another item can receive.
///
/// ```swift
/// let item = KeychainItem(at: token, value: SecretBytes("secret"))
/// try ServicesKeychain().add(item)
/// ```
public struct KeychainItem: Sendable {
    /// The item's class.
    public var kind: ItemKind
    /// All attributes that a program can set, including access group and synchronizability.
    public var attributes: [ItemAttribute: ItemValue]
    /// The accessibility; nil leaves the choice to the keychain.
    public var accessibility: ItemAccessibility?
    /// The constraints, which replace ``accessibility``; nil without any.
    public var accessControl: ItemAccessControl?
    /// Whether the item has constraints that the public interface does not report.
    public var hasUnknownConstraints = false
    /// The date on which the item was added.
    public var created: Date?
    /// The persistent reference, or nil if it was not read.
    public var reference: Data?
    /// The secret, or nil if it was not read.
    public var value: SecretBytes?

    /// Creates an item with these properties.
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

    /// Creates an item at an address.
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

    /// Whether reading the item needs a prompt.
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

/// The new properties in an update; nil or missing ones do not change.
///
/// ```swift
/// try keychain.update(token, ItemChange(accessibility: .afterFirstUnlock))
/// ```
public struct ItemChange: Sendable {
    /// The new values of attributes outside the primary key.
    public var attributes: [ItemAttribute: ItemValue]
    /// The new accessibility.
    public var accessibility: ItemAccessibility?
    /// The new secret.
    public var value: SecretBytes?

    /// Creates a change of attributes, accessibility or secret.
    public init(
        attributes: [ItemAttribute: ItemValue] = [:],
        accessibility: ItemAccessibility? = nil,
        value: SecretBytes? = nil
    ) {
        self.attributes = attributes
        self.accessibility = accessibility
        self.value = value
    }

    /// Whether the update would change nothing.
    public var isEmpty: Bool { attributes.isEmpty && accessibility == nil && value == nil }
}
