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
    /// What `--require` asks for.
    var control: AccessControl?
    var lockState: DeviceStatus.LockState
    var isPasscodeSet: Bool
    var failedAttempts: Int
    /// How long the next attempt at the passcode has to wait.
    var delaySeconds: Double
    /// The groups of this program, which may end in `*`.
    var groups: [String]
    var defaultGroup: String?
    /// How many items each group of the keychain holds; nil where nobody told.
    var groupCounts: [String: Int]?
    var endpoint: EndpointDescription.Kind
    var prompts: PromptMeans
    /// The items of this program that match what the user named of the primary key.
    ///
    /// Group and synchronizability do not count here. If the user named nothing of the key, the
    /// items that match all that the user named.
    var matches: [KnownItem]
    /// All passwords of this program, or else all keys and certificates, as the question is.
    var all: [KnownItem]
    /// Why the keychain could not be opened; nil if it was.
    var failure: KeychainError?
    /// The directory of a keychain that nobody has made yet; nil if there is one.
    var absentDirectory: String?
}

extension DiagnosisFacts {
    /// The attributes of the primary key that name an item within its group.
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

    /// Whether the user named synchronizable items.
    var asksSynchronizable: Bool { asked[.synchronizable] != nil }

    /// The group that a call without one adds to, and one with a group uses.
    var destination: String? { askedGroup ?? defaultGroup }

    /// What the user named, in words.
    var askedWords: String {
        KnownItem.words(itemClass, asked) + (askedGroup.map { ", in group \($0)" } ?? "")
    }

    /// Whether this program may use a group.
    func mayUse(_ group: String) -> Bool {
        groups.contains { own in
            own.hasSuffix("*") ? group.hasPrefix(own.dropLast()) : own == group
        }
    }

    /// The attributes that the user named and an item has another value for.
    ///
    /// An attribute that nobody can read counts as equal.
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

    /// Whether a search takes two values for the same: of text and data, only the bytes count.
    ///
    /// - Source: Apple Security source (Security-61901), SecDbItem.c.
    static func areEqual(_ left: AttributeValue?, _ right: AttributeValue?) -> Bool {
        if left == right { return true }
        guard let left = left.flatMap(bytes), let right = right.flatMap(bytes) else { return false }
        return left == right
    }

    /// The bytes of text and data; nil for another value.
    static func bytes(_ value: AttributeValue) -> [UInt8]? {
        switch value {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        default: nil
        }
    }

    /// The items that match all that the user named.
    var exactMatches: [KnownItem] { matches.filter { differences(from: $0).isEmpty } }

    /// How many other items the lock state hides, so that no tree can compare them.
    var hiddenCount: Int { max(0, all.count { !$0.isReadable } - matches.count { !$0.isReadable }) }

    /// The groups with items that this program does not see, with the number of items.
    var hiddenGroups: [(group: String, count: Int)] {
        (groupCounts ?? [:]).filter { !mayUse($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// How to give a program a group.
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
