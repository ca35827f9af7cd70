import Cryptography
import DataProtection
import KeychainEngine
import KeychainModel
import Synchronization

/// Which secure element a keychain is on: what its file says, else what the environment asks for.
///
/// - Source: Documentation/Spec/keybag.md §4; requirement KEY-21.
package enum SecureElements {
    /// Makes a secure element over a device's storage, with its chip at a place.
    package typealias Factory =
        @Sendable (_ place: String, _ storage: any DeviceStorage) -> any SecureElement

    private static let factories = Mutex<[String: Factory]>([:])

    /// The variable that chooses for a new keychain, and says where an existing one's chip is.
    package static let variable = "KEYCHAIN_SECURE_ELEMENT"

    /// Lets this process use another kind; registered again, the last one counts.
    package static func register(_ kind: String, _ factory: @escaping Factory) {
        factories.withLock { $0[kind] = factory }
    }

    /// Makes the chip at a place.
    package typealias ChipFactory = @Sendable (_ place: String) -> any SecureChip

    private static let chips = Mutex<[String: ChipFactory]>([:])

    /// Lets this process use a kind of chip beside secure elements, too.
    package static func registerChip(_ kind: String, _ factory: @escaping ChipFactory) {
        chips.withLock { $0[kind] = factory }
    }

    /// The chip of a kind; nothing is asked of it yet.
    ///
    /// - Throws: `errSecNotAvailable` for a kind that this program does not know; what
    ///   `ChipPlace.resolved` throws.
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

    /// What the environment asks for: a kind, and after a colon where its chip is.
    private struct Choice {
        let kind: String
        let place: String?

        init(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            kind = String(parts[0])
            place = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
        }
    }

    /// The secure element of a directory; software unless its file or the environment says else.
    ///
    /// - Throws: `errSecNotAvailable` for a kind that this program does not know, or another one
    ///   than the keychain was made with; what `SecureElementKind.recorded` and
    ///   `ChipPlace.resolved` throw.
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
