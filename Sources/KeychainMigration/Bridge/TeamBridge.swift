import Foundation

/// A transfer of items across a change of team, after which a program loses access to its keychain.
///
/// The last version under the old team exports into an encrypted container. The first version under
/// the new team imports, verifies, and removes the container. Each container can be used once.
///
/// ```swift
/// let bridge = TeamBridge(container: PlainFile(container))
/// let report = try bridge.export(sealedFor: key)
/// ```
/// - Source: Migration guide, Team ID Change; Documentation/Spec/migration.md, section 3.
public struct TeamBridge: Sendable {
    /// The container file, in a place that both teams' versions of the program can read.
    public let container: PlainFile
    /// The keychain of the running version.
    public let keychain: any Keychain

    /// Creates a bridge over a container file.
    public init(container: PlainFile, keychain: any Keychain = ServicesKeychain()) {
        self.container = container
        self.keychain = keychain
    }

    struct Envelope: Codable {
        var format = 1
        var id: UUID
        var sealed: Data
    }

    /// Exports items into the container; items that cannot move remain, and the report names them.
    ///
    /// The importing version needs the private key. Store the key where only that version can read
    /// it.
    ///
    /// - Parameters:
    ///   - scope: the items to export.
    ///   - key: the key that encrypts the container.
    ///   - asksUser: whether to prompt for each item with constraints; otherwise they remain.
    ///   - isDryRun: whether to report only, and change nothing.
    /// - Returns: the outcome for each item.
    /// - Throws: ``BridgeFailure``.
    public func export(
        _ scope: ItemScope = .everything,
        sealedFor key: EnvelopeKey,
        asksUser: Bool = false,
        isDryRun: Bool = false
    ) throws(BridgeFailure) -> MigrationReport {
        var report = MigrationReport(isDryRun: isDryRun)
        var items: [BridgedItem] = []
        let seen = try seen(scope, asksUser: asksUser)
        for listed in seen.items {
            let outcome: MoveOutcome
            switch try passage(of: listed) {
            case .item(let item):
                items.append(item)
                outcome = isDryRun ? .planned("export") : .kept("exported")
            case .refused(let reason): outcome = .cannotMove(reason)
            }
            report.lines.append(line(listed.address.description, outcome))
        }
        if let reason = seen.hidden {
            report.lines.append(line("items that need the user", .cannotMove(reason)))
        }
        if !isDryRun { try write(items, sealedFor: key) }
        return report
    }

    private func line(_ what: String, _ outcome: MoveOutcome) -> MigrationReport.Line {
        MigrationReport.Line(what: what, from: "keychain", to: container.name, outcome: outcome)
    }

    /// Returns the visible items, and the reason why others are not visible.
    private func seen(
        _ scope: ItemScope,
        asksUser: Bool
    ) throws(BridgeFailure) -> (items: [KeychainItem], hidden: String?) {
        do throws(KeychainFailure) {
            let isGated = try keychain.hasGatedItems(scope)
            if isGated, asksUser, let all = try? keychain.list(scope, gated: .ask) {
                return (all, nil)
            }
            let reason = asksUser ? "the user did not open them" : "reading them needs the user"
            return (try keychain.list(scope), isGated ? reason : nil)
        } catch { throw .keychain(error) }
    }

    private func write(
        _ items: [BridgedItem],
        sealedFor key: EnvelopeKey
    ) throws(BridgeFailure) {
        do {
            let plain = SecretBytes(try JSONEncoder().encode(items))
            let envelope = Envelope(id: UUID(), sealed: try key.seal(plain))
            try container.replace(with: try JSONEncoder().encode(envelope))
        } catch let failure as KeychainFailure {
            throw .keychain(failure)
        } catch let failure as SourceFailure {
            throw .file(failure)
        } catch {
            throw .damaged(container.name)
        }
    }

    private enum Passage {
        case item(BridgedItem)
        case refused(String)
    }

    /// Returns the form in which an item can move, or the reason why it cannot.
    private func passage(of listed: KeychainItem) throws(BridgeFailure) -> Passage {
        if listed.hasUnknownConstraints { return .refused("its constraints are unknown") }
        if let token = listed.attributes[.tokenID], token != .text("") {
            return .refused("its key is in secure hardware")
        }
        if listed.kind == .key, listed.attributes[.isExtractable] == .number(0) {
            return .refused("its key is not extractable")
        }
        do throws(KeychainFailure) {
            guard let item = try keychain.read(listed.address), let value = item.value else {
                return .refused("its value cannot be read")
            }
            return .item(BridgedItem(item, value: value))
        } catch {
            if listed.isGated, !error.isLocked { return .refused("the user did not open it") }
            // The item is unreadable only for now, so a container without it would lose it for
            // good.
            throw .keychain(error)
        }
    }
}

/// An item in a container.
struct BridgedItem: Codable {
    let kind: ItemKind
    let attributes: [ItemAttribute: ItemValue]
    let accessibility: ItemAccessibility?
    let accessControl: ItemAccessControl?
    let created: Date?
    let value: Data

    init(_ item: KeychainItem, value: SecretBytes) {
        kind = item.kind
        attributes = item.attributes
        accessibility = item.accessibility
        accessControl = item.accessControl
        created = item.created
        self.value = value.copyBytesUnprotected()
    }

    /// Returns the item in a group of the new team.
    func item(inGroup group: String?) -> KeychainItem {
        var item = KeychainItem(
            kind: kind,
            attributes: attributes,
            accessibility: accessibility,
            accessControl: accessControl,
            value: SecretBytes(value)
        )
        item.attributes[.accessGroup] = group.map(ItemValue.text)
        item.created = created
        return item
    }

    var accessGroup: String? {
        guard case .text(let group)? = attributes[.accessGroup] else { return nil }
        return group
    }
}

/// The reason why an export or import failed.
///
/// ```swift
/// do {
///     _ = try bridge.importItems(openedWith: key, journal: journal) { _ in nil }
/// } catch BridgeFailure.noContainer {
///     print("nothing to import")
/// }
/// ```
public enum BridgeFailure: Error, Codable, Hashable, Sendable {
    /// The keychain failed, or the key does not fit the container.
    case keychain(KeychainFailure)
    /// The file could not be read, written or removed.
    case file(SourceFailure)
    /// No container exists.
    case noContainer
    /// The file is not a container, or its content was changed.
    case damaged(String)
    /// An earlier import already used the container.
    case alreadyUsed
}

extension BridgeFailure: CustomStringConvertible {
    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .keychain(let failure): "bridge: \(failure)"
        case .file(let failure): "bridge: \(failure)"
        case .noContainer: "there is no container to import"
        case .damaged(let file): "\(file) is not a container, or was changed"
        case .alreadyUsed: "the container was imported before"
        }
    }
}
