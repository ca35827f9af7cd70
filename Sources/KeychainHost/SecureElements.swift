import Cryptography
import DataProtection
import KeychainEngine
import KeychainModel
import Synchronization

/// The choice of a keychain's secure element: its file decides, or else the environment.
///
/// - Source: Documentation/Spec/keybag.md §4; requirement KEY-21.
package enum SecureElements {
    /// A function that creates a secure element for a storage, with its chip at an address.
    package typealias Factory =
        @Sendable (_ place: String, _ storage: any DeviceStorage) -> any SecureElement

    private static let factories = Mutex<[String: Factory]>([:])

    /// The variable that chooses the element of a new keychain, and the chip address of an old one.
    package static let variable = "KEYCHAIN_SECURE_ELEMENT"

    /// Lets this process use another kind; a later registration replaces an earlier one.
    package static func register(_ kind: String, _ factory: @escaping Factory) {
        factories.withLock { $0[kind] = factory }
    }

    /// A function that creates the chip at an address.
    package typealias ChipFactory = @Sendable (_ place: String) -> any SecureChip

    private static let chips = Mutex<[String: ChipFactory]>([:])

    /// Lets this process use a kind of chip for other purposes than secure elements.
    package static func registerChip(_ kind: String, _ factory: @escaping ChipFactory) {
        chips.withLock { $0[kind] = factory }
    }

    /// Returns the chip of a kind, without a call to it.
    ///
    /// - Throws: `errSecNotAvailable` for an unknown kind; the errors of `ChipPlace.resolved`.
    static func chip(
        _ kind: String,
        at place: String?,
        _ environment: ProcessEnvironment
    ) throws(KeychainError) -> any SecureChip {
        let place = try ChipPlace.resolved(place, environment)
        guard let factory = chips.withLock({ $0[kind] }) else {
            throw KeychainError(.notAvailable, "this program does not support \(kind)")
        }
        return factory(place)
    }

    /// The environment's choice: a kind and, after a colon, the address of its chip.
    private struct Choice {
        let kind: String
        let place: String?

        init(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            kind = String(parts[0])
            place = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
        }
    }

    /// Returns the secure element of a directory; software unless its file or the environment
    /// differs.
    ///
    /// - Throws: `errSecNotAvailable` for an unknown kind, or a kind that is not the keychain's;
    ///   the errors of `SecureElementKind.recorded` and `ChipPlace.resolved`.
    static func element(
        in storage: any DeviceStorage,
        _ environment: ProcessEnvironment,
        random: any RandomSource
    ) throws(KeychainError) -> any SecureElement {
        let choice = environment[variable].map(Choice.init)
        let recorded = try fromDevice(try SecureElementKind.recorded(in: storage))
        if let recorded, let choice, recorded != choice.kind {
            throw KeychainError(
                .notAvailable,
                "\(variable) is \(choice.kind), but \(storage.path(of: .secureElement)) was made"
                    + " with \(recorded); only a new keychain can use another secure element"
            )
        }
        let kind = recorded ?? choice?.kind ?? SecureElementKind.software
        if kind == SecureElementKind.software {
            return SoftwareSecureElement(storage: storage, random: random)
        }
        let place = try ChipPlace.resolved(choice?.place, environment)
        guard let factory = factories.withLock({ $0[kind] }) else {
            throw KeychainError(.notAvailable, reason(unknown: kind, recorded: recorded, storage))
        }
        return factory(place, storage)
    }

    private static func reason(
        unknown kind: String,
        recorded: String?,
        _ storage: any DeviceStorage
    ) -> String {
        let subject =
            recorded == nil
            ? "\(variable) asks for \(kind)"
            : "\(storage.path(of: .secureElement)) was made with \(kind)"
        return subject + ", which this program does not support"
    }
}
