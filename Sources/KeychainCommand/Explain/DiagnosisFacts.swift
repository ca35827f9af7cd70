import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts

/// Everything that a diagnosis depends on, without any secret.
struct DiagnosisFacts: Sendable {
    /// The status to explain.
    var status: SecurityStatus
    /// The class of the item that the user named.
    var itemClass: ItemClass
    /// The attributes that the user named.
    var asked: [Attribute: AttributeValue]
    /// The access control that `--require` describes.
    var control: AccessControl?
    var lockState: DeviceStatus.LockState
    var isPasscodeSet: Bool
    var failedAttempts: Int
    /// The delay before the next attempt at the passcode, in seconds.
    var delaySeconds: Double
    /// The groups of this program, which may end in `*`.
    var groups: [String]
    var defaultGroup: String?
    /// The number of items in each group of the keychain; nil if it is unknown.
    var groupCounts: [String: Int]?
    var endpoint: EndpointDescription.Kind
    var prompts: PromptMeans
    /// The items of this program that match the given attributes of the primary key.
    ///
    /// The group and synchronizability are ignored. If no attribute of the key is given, these are
    /// the items that match all given attributes.
    var matches: [KnownItem]
    /// All passwords of this program, or all its keys and certificates, as the class requires.
    var all: [KnownItem]
    /// The error of opening the keychain; nil if it opened.
    var failure: KeychainError?
    /// The directory of a keychain that does not exist yet; nil if it exists.
    var absentDirectory: String?
}

extension DiagnosisFacts {
    /// Returns the attributes of the primary key that identify an item within its group.
    static func keyAttributes(of itemClass: ItemClass) -> [Attribute] {
        Schema.primaryKey(of: itemClass).filter { $0 != .accessGroup && $0 != .synchronizable }
    }

    /// Whether the user named an item at all.
    var namesItem: Bool {
        itemClass == .identity
            || asked.keys.contains { ![.accessGroup, .accessible, .synchronizable].contains($0) }
    }

    /// The group that the user named.
    var askedGroup: String? {
        if case .string(let group)? = asked[.accessGroup] { group } else { nil }
    }

    /// The accessibility that the user named.
    var askedProtection: ProtectionClass? {
        if case .string(let code)? = asked[.accessible] { return ProtectionClass(code: code) }
        return nil
    }

    /// Whether the user chose local or synchronizable items.
    var asksSynchronizable: Bool { asked[.synchronizable] != nil }

    /// The group that an add uses: the given one, or the default group.
    var destination: String? { askedGroup ?? defaultGroup }

    /// The given attributes in words.
    var askedWords: String {
        KnownItem.words(itemClass, asked) + (askedGroup.map { ", in group \($0)" } ?? "")
    }

    /// Whether this program may use a group.
    func mayUse(_ group: String) -> Bool {
        groups.contains { own in
            own.hasSuffix("*") ? group.hasPrefix(own.dropLast()) : own == group
        }
    }

    /// Returns the given attributes that have another value in an item.
    ///
    /// An attribute that cannot be read counts as equal.
    func differences(from item: KnownItem) -> [Attribute] {
        asked.keys.sorted().filter { attribute in
            if attribute == .synchronizable { return item.isSynchronizable == false }
            guard attribute != .accessGroup || item.group != nil else { return false }
            guard item.isReadable || [.accessGroup, .accessible].contains(attribute) else {
                return false
            }
            return !Self.areEqual(item.attributes[attribute], asked[attribute])
        }
    }

    /// Whether a search treats two values as equal.
    ///
    /// For text and data, it compares only bytes.
    ///
    /// - Source: Apple Security source (Security-61901), SecDbItem.c.
    static func areEqual(_ left: AttributeValue?, _ right: AttributeValue?) -> Bool {
        if left == right { return true }
        guard let left = left.flatMap(bytes), let right = right.flatMap(bytes) else { return false }
        return left == right
    }

    /// Returns the bytes of text or data; nil for any other value.
    static func bytes(_ value: AttributeValue) -> [UInt8]? {
        switch value {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        default: nil
        }
    }

    /// The items that match all given attributes.
    var exactMatches: [KnownItem] { matches.filter { differences(from: $0).isEmpty } }

    /// The number of other items that the lock state hides, which no tree can compare.
    var hiddenCount: Int { max(0, all.count { !$0.isReadable } - matches.count { !$0.isReadable }) }

    /// The groups with items that this program does not see, with their numbers of items.
    var hiddenGroups: [(group: String, count: Int)] {
        (groupCounts ?? [:]).filter { !mayUse($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The advice on how to give a program a group.
    var wayToGroup: String {
        switch endpoint {
        case .userDaemon, .systemDaemon:
            "Run keychainctl access grant GROUP PROGRAM, with the group and the program's path."
        case .embedded, .simulated:
            "List the group in the program's entitlements: the file PROGRAM.entitlements beside it,"
                + " or the one that KEYCHAIN_ENTITLEMENTS names."
        }
    }
}
