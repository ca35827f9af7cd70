import Secrets

/// An argument, a result or a property, as the message bus carries it.
///
/// There is a case for each type that the Secret Service uses, and one for all others.
package indirect enum BusValue: Sendable {
    case text(String)
    case path(String)
    case flag(Bool)
    /// Seconds since 1970-01-01T00:00:00Z, for a property.
    case time(UInt64)
    case bytes(SharedSecret)
    case texts([String])
    case paths([String])
    /// Attributes of an item.
    case attributes([String: String])
    /// Properties by their full names; values without their variant.
    case properties([String: BusValue])
    case secret(EncodedSecret)
    /// Secrets by the paths of their items.
    case secrets([(path: String, secret: EncodedSecret)])
    case variant(BusValue)
    /// A value of another type, whose content was not read.
    case other(signature: String)

    /// The type as D-Bus spells it.
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

/// A secret on its way over the bus.
package struct EncodedSecret: Sendable {
    /// The path of the session that it is encoded for.
    package let session: String
    /// Nothing, or the initialization vector.
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
