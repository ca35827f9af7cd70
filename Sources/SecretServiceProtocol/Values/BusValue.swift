import Secrets

/// An argument, a result or a property on the message bus.
///
/// Each type of the Secret Service has a case, and all other types share one.
package indirect enum BusValue: Sendable {
    case text(String)
    case path(String)
    case flag(Bool)
    /// Seconds since 1970-01-01T00:00:00Z, for a property.
    case time(UInt64)
    case bytes(SharedSecret)
    case texts([String])
    case paths([String])
    /// The attributes of an item.
    case attributes([String: String])
    /// Properties by their full names, with values outside of their variants.
    case properties([String: BusValue])
    case secret(EncodedSecret)
    /// Secrets, by the paths of their items.
    case secrets([(path: String, secret: EncodedSecret)])
    case variant(BusValue)
    /// A value of another type, with its content unread.
    case other(signature: String)

    /// The type in D-Bus's notation.
    package var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .flag: "b"
        case .time: "t"
        case .bytes: "ay"
        case .texts: "as"
        case .paths: "ao"
        case .attributes: "a{ss}"
        case .properties: "a{sv}"
        case .secret: "(oayays)"
        case .secrets: "a{o(oayays)}"
        case .variant: "v"
        case .other(let signature): signature
        }
    }
}

/// A secret in its form on the bus.
package struct EncodedSecret: Sendable {
    /// The path of the session for which the secret is encoded.
    package let session: String
    /// The initialization vector; empty in a plain session.
    package let parameters: SharedSecret
    /// The secret, or its ciphertext.
    package let value: SharedSecret
    package let contentType: String

    package init(
        session: String,
        parameters: SharedSecret,
        value: SharedSecret,
        contentType: String
    ) {
        self.session = session
        self.parameters = parameters
        self.value = value
        self.contentType = contentType
    }
}
