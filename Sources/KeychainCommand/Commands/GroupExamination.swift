import KeychainHost
import KeychainMessages
import KeychainModel

/// An explanation of the command's access groups, and of the other groups that hold items.
///
/// - Source: requirement USE-04.
struct GroupExamination {
    private let status: DeviceStatus
    /// The number of items in each group of the keychain.
    private let counts: [String: Int]
    private let place: Place

    /// The party that assigns access groups.
    enum Place {
        /// The process itself; the program declares its groups in its environment.
        case embedded(ProcessEnvironment)
        case daemon
        case simulated

        init(_ kind: EndpointDescription.Kind, _ environment: ProcessEnvironment) {
            switch kind {
            case .embedded: self = .embedded(environment)
            case .userDaemon, .systemDaemon: self = .daemon
            case .simulated: self = .simulated
            }
        }

        fileprivate var wayToShare: String {
            switch self {
            case .daemon: "to share a group, run keychainctl access grant GROUP PROGRAM"
            case .embedded, .simulated:
                "to share items, give both programs the same KEYCHAIN_ENTITLEMENTS (Command.md)"
            }
        }
    }

    init(_ status: DeviceStatus, _ counts: [String: Int], _ place: Place) {
        self.status = status
        self.counts = counts
        self.place = place
    }

    func observations() -> [Observation] {
        [own] + (others.map { [$0] } ?? [])
    }

    private var own: Observation {
        let groups = status.accessGroups.joined(separator: ", ")
        let group = status.defaultAccessGroup ?? "none"
        let text = "\(groups.isEmpty ? "none" : groups); new items go to \(group)"
        guard case .embedded(let environment) = place,
            let identity = try? CallerIdentity(environment), identity.origin == .name,
            let chosen = status.defaultAccessGroup, chosen != environment.executableName,
            chosen != identity.fallbackGroup
        else { return Observation(.fine, "access groups", text) }
        let file = environment.executable + ".entitlements"
        let reason =
            "the keychain recorded this group at an earlier use: the program had another name, or"
            + " an entitlements file that is gone"
        return Observation(
            .notice,
            "access groups",
            "\(text): \(reason)",
            advice: "to choose other groups, write \(file); to make every program choose again,"
                + " remove the file programs from the keychain's directory"
        )
    }

    /// The groups with items that the program does not see; nil if there are none.
    private var others: Observation? {
        let hidden = counts.filter { !isOwn($0.key) }.sorted { $0.key < $1.key }
        guard !hidden.isEmpty else { return nil }
        let words = hidden.map { group, count in
            "\(group) (\(count == 1 ? "1 item" : "\(count) items"))"
        }
        return Observation(
            .notice,
            "other groups",
            "\(words.joined(separator: ", ")): this program does not see these items",
            advice: place.wayToShare
        )
    }

    private func isOwn(_ group: String) -> Bool {
        status.accessGroups.contains { own in
            own.hasSuffix("*") ? group.hasPrefix(own.dropLast()) : own == group
        }
    }
}
