/// The five item classes, by the four letters that name them everywhere.
///
/// - Source: requirement QRY-02; Documentation/Spec/item.md §1.
package enum ItemClass: String, CaseIterable, Sendable, Hashable {
    /// A password that belongs to a service and an account.
    case genericPassword = "genp"
    /// A password that belongs to a server, a protocol and an account.
    case internetPassword = "inet"
    /// An X.509 certificate.
    case certificate = "cert"
    /// A public, private or symmetric key.
    case key = "keys"
    /// A certificate together with its private key; joined on demand, never stored.
    case identity = "idnt"

    /// Whether items of the class have reference objects; passwords do not (QRY-25).
    package var hasReferences: Bool {
        switch self {
        case .genericPassword, .internetPassword: false
        case .certificate, .key, .identity: true
        }
    }

    /// The index of the class in arrays with one entry for each class.
    package var index: Int {
        switch self {
        case .genericPassword: 0
        case .internetPassword: 1
        case .certificate: 2
        case .key: 3
        case .identity: 4
        }
    }

    /// The classes that have a table of their own.
    package static let stored: [ItemClass] = [
        .genericPassword, .internetPassword, .certificate, .key,
    ]
}
