/// The name of a program in a policy or a grant.
///
/// - Source: Documentation/Spec/evidence.md §4.
package enum ProgramSelector: Sendable, Hashable {
    /// The absolute path of an executable.
    case program(String)
    /// A system service's unit, such as `shop.service`.
    case unit(String)
    case flatpak(String)
    case snap(String)
    /// An AppArmor or SELinux label.
    case label(String)
    /// Every program of an account, by the account's name.
    case account(String)

    /// The key in policy files, such as `program`.
    package var key: String {
        switch self {
        case .program: "program"
        case .unit: "unit"
        case .flatpak: "flatpak"
        case .snap: "snap"
        case .label: "label"
        case .account: "account"
        }
    }

    /// The value of the key.
    package var value: String {
        switch self {
        case .program(let value), .unit(let value), .flatpak(let value), .snap(let value),
            .label(let value), .account(let value):
            value
        }
    }

    /// Creates the selector of a key and a value in a policy file; nil for another key.
    package init?(key: String, value: String) {
        switch key {
        case "program": self = .program(value)
        case "unit": self = .unit(value)
        case "flatpak": self = .flatpak(value)
        case "snap": self = .snap(value)
        case "label": self = .label(value)
        case "account": self = .account(value)
        default: return nil
        }
    }
}
