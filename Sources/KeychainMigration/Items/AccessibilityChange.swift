import Foundation

/// An operation that changes items' accessibility in place; value, creation date and references
/// remain.
///
/// It does nothing in the background, because a locked device there has the keys of some items
/// only.
///
/// ```swift
/// let operation = AccessibilityChange(of: [token], to: .afterFirstUnlock)
/// ```
/// - Source: Migration guide, Versioned Migration V3; Keychain diagnostics, Scenario 2.
public struct AccessibilityChange: MigrationOperation {
    private let addresses: [ItemAddress]
    private let accessibility: ItemAccessibility

    /// Creates an operation that gives the items at these addresses an accessibility.
    public init(of addresses: [ItemAddress], to accessibility: ItemAccessibility = .standard) {
        self.addresses = addresses
        self.accessibility = accessibility
    }

    /// Changes each item separately; skips items that are absent or correct already.
    public func run(in context: MigrationContext) -> MigrationReport {
        let lines = addresses.map { address in
            MigrationReport.Line(
                what: address.description,
                from: "keychain",
                to: accessibility.rawValue,
                outcome: outcome(of: address, in: context)
            )
        }
        return MigrationReport(isDryRun: context.isDryRun, lines: lines)
    }

    private func outcome(of address: ItemAddress, in context: MigrationContext) -> MoveOutcome {
        guard context.execution == .foreground else {
            return .deferred("no accessibility changes in the background")
        }
        do throws(KeychainFailure) {
            guard let before = try context.keychain.read(address) else { return .nothingThere }
            guard before.accessibility != accessibility else { return .alreadyThere }
            guard before.accessControl == nil, !before.hasUnknownConstraints else {
                return .cannotMove("its access control contains its accessibility")
            }
            guard !context.isDryRun else { return .planned("change the accessibility") }
            try context.keychain.update(address, ItemChange(accessibility: accessibility))
            let after = try context.keychain.read(address)
            guard let old = before.value, let new = after?.value, new.matches(old),
                after?.accessibility == accessibility
            else { return .failed(.verificationMismatch) }
            return .changed
        } catch {
            return error.isLocked
                ? .deferred("the keychain is locked") : .failed(.keychain(error))
        }
    }
}
