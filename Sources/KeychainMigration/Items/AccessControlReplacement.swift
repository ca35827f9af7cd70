import Foundation

// Definitions  "safekeeping": our own item, which holds all of the old item, including its value.
// Invariants   (1) While neither the old nor the new item exists, safekeeping holds the value. It
//                  has the old item's accessibility.
//              (2) The keychain's content shows the progress of an earlier run; no file is needed.
//              (3) If the new item cannot be created, the old one is created again.
// States       by the keychain's content:
//                target old,     safekeeping none   ▸ put into safekeeping
//                target old,     safekeeping same   ▸ delete the target, add the new one
//                target old,     safekeeping other  ▸ the item has changed: begin again
//                target none,    safekeeping any    ▸ add the new one, or else the old one again
//                target wanted,  safekeeping any    ▸ remove safekeeping
//                target none,    safekeeping none   ▸ nothing there

/// An operation that gives an item another access control without a risk of losing it.
///
/// The keychain cannot update an access control, so the operation deletes and recreates the item.
///
/// ```swift
/// let control = ItemAccessControl(
///     accessibility: .whenUnlockedThisDeviceOnly,
///     flags: SecAccessControlCreateFlags.userPresence.rawValue
/// )
/// let operation = AccessControlReplacement(of: token, to: control)
/// ```
/// - Source: Keychain access control guide, Code Patterns; Documentation/Spec/migration.md, section
///   4.
public struct AccessControlReplacement: MigrationOperation {
    private let address: ItemAddress
    private let control: ItemAccessControl
    private let service: String

    /// Creates an operation that gives the item at an address an access control.
    public init(
        of address: ItemAddress,
        to control: ItemAccessControl,
        safekeepingService service: String = "keychain-migration.safekeeping"
    ) {
        self.address = address
        self.control = control
        self.service = service
    }

    private struct Sealed: Codable {
        var address: ItemAddress
        var attributes: [ItemAttribute: ItemValue]
        var accessibility: ItemAccessibility?
        var accessControl: ItemAccessControl?
        var created: Date?
        var value: Data
    }

    /// Replaces the item, or continues what an earlier run began.
    public func run(in context: MigrationContext) -> MigrationReport {
        let outcome: MoveOutcome
        do throws(KeychainFailure) {
            outcome = try replace(in: context)
        } catch {
            outcome =
                error.isLocked
                ? .deferred("the keychain is locked") : .failed(.keychain(error))
        }
        let line = MigrationReport.Line(
            what: address.description,
            from: "keychain",
            to: "access control \(control.accessibility.rawValue), \(control.flags)",
            outcome: outcome
        )
        return MigrationReport(isDryRun: context.isDryRun, lines: [line])
    }

    private var safekeeping: ItemAddress {
        .genericPassword(service: service, account: address.identifier)
    }

    private func replace(in context: MigrationContext) throws(KeychainFailure) -> MoveOutcome {
        guard context.execution == .foreground else {
            return .deferred("an no access control changes in the background")
        }
        let keychain = context.keychain
        let stored = try keychain.read(safekeeping)
        let kept = stored.flatMap(Self.item)
        guard stored == nil || kept != nil else { return .failed(.verificationMismatch) }
        // If the old item requires a prompt, it appears here, once.
        guard let old = try keychain.read(address) else {
            guard let kept else { return .nothingThere }
            return context.isDryRun ? .planned("go on") : try finish(kept, in: keychain)
        }
        if isWanted(old) {
            guard kept != nil else { return .alreadyThere }
            guard !context.isDryRun else { return .planned("go on") }
            try keychain.delete(safekeeping)
            return .changed
        }
        guard !old.hasUnknownConstraints else {
            return .cannotMove("its constraints are unknown, so it could not be made again")
        }
        guard old.value != nil else { return .cannotMove("its value cannot be read") }
        guard !context.isDryRun else { return .planned("replace the access control") }
        try keep(old, unless: kept, in: keychain)
        try keychain.delete(old.address)
        return try finish(old, in: keychain)
    }

    private func isWanted(_ item: KeychainItem) -> Bool {
        if control.flags == 0 {
            return item.accessControl == nil && item.accessibility == control.accessibility
        }
        return item.accessControl == control
    }

    /// Puts the item into safekeeping, and verifies that it is there.
    private func keep(
        _ old: KeychainItem,
        unless kept: KeychainItem?,
        in keychain: any Keychain
    ) throws(KeychainFailure) {
        guard let value = old.value else { throw KeychainFailure(.read, status: -50) }
        if let kept {
            guard !(kept.value?.matches(value) ?? false) else { return }
            try keychain.delete(safekeeping)
        }
        let bytes = try Self.bytes(of: old)
        try keychain.add(
            KeychainItem(at: safekeeping, accessibility: old.accessibility, value: bytes)
        )
        guard try keychain.read(safekeeping)?.value?.matches(bytes) ?? false else {
            throw KeychainFailure(.read, status: -26275)
        }
    }

    /// Creates the new item; if that fails, creates the old one again.
    private func finish(
        _ old: KeychainItem,
        in keychain: any Keychain
    ) throws(KeychainFailure) -> MoveOutcome {
        var new = old
        new.accessControl = control
        new.accessibility = control.accessibility
        do throws(KeychainFailure) {
            try keychain.add(new)
        } catch {
            try keychain.add(old)
            try keychain.delete(safekeeping)
            return error.isLocked
                ? .deferred("the keychain is locked") : .failed(.keychain(error))
        }
        // Reading the value back under the new access control would prompt the user again.
        guard try keychain.exists(new.address) else { return .failed(.verificationMismatch) }
        try keychain.delete(safekeeping)
        return .changed
    }

    private static func bytes(of item: KeychainItem) throws(KeychainFailure) -> SecretBytes {
        let sealed = Sealed(
            address: item.address,
            attributes: item.attributes,
            accessibility: item.accessibility,
            accessControl: item.accessControl,
            created: item.created,
            value: item.value?.copyBytesUnprotected() ?? Data()
        )
        do {
            return SecretBytes(try JSONEncoder().encode(sealed))
        } catch { throw KeychainFailure(.add, status: -50) }
    }

    private static func item(_ stored: KeychainItem) -> KeychainItem? {
        guard let bytes = stored.value?.copyBytesUnprotected(),
            let sealed = try? JSONDecoder().decode(Sealed.self, from: bytes)
        else { return nil }
        var item = KeychainItem(
            kind: sealed.address.kind,
            attributes: sealed.attributes,
            accessibility: sealed.accessibility,
            accessControl: sealed.accessControl,
            value: SecretBytes(sealed.value)
        )
        item.created = sealed.created
        return item
    }
}
