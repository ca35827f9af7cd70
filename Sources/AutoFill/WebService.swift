import PlaintextFormats

/// A protocol with a port, and the rule for the items that belong to it.
///
/// `git-credential` and AutoFill share this rule.
package struct WebService: Hashable, Sendable {
    /// The four letters of `kSecAttrProtocol`.
    package let protocolName: String
    /// The port; nil for the protocol's default.
    package let port: UInt16?

    /// Creates a service; the protocol's default port becomes nil.
    package init(protocolName: String, port: UInt16?) {
        self.protocolName = protocolName
        self.port = port == ProtocolName.defaultPort(ofLetters: protocolName) ? nil : port
    }

    /// Returns the reason why an item does not belong to this service; nil if it does.
    ///
    /// An item without a protocol, such as one from a netrc file, is for HTTPS and never for a
    /// plain connection.
    /// - Parameters:
    ///   - itemProtocol: The item's four letters; nil for none.
    ///   - itemPort: The item's port; nil or 0 for the protocol's default.
    /// - Returns: `otherScheme` or `otherPort`; nil if the item belongs to the service.
    package func refusal(
        ofItem itemProtocol: String?,
        port itemPort: UInt16?
    ) -> AutoFillRefusal? {
        let known = itemProtocol ?? "htps"
        guard known == protocolName else {
            return .otherScheme(item: Self.scheme(known), page: Self.scheme(protocolName))
        }
        let item = WebService(protocolName: protocolName, port: itemPort == 0 ? nil : itemPort)
        guard item.port == port else {
            return .otherPort(item: item.number, page: number)
        }
        return nil
    }

    /// The port's number; 0 for a protocol without a default.
    private var number: UInt16 {
        port ?? ProtocolName.defaultPort(ofLetters: protocolName) ?? 0
    }

    private static func scheme(_ letters: String) -> String {
        ProtocolName.scheme(ofLetters: letters)
    }
}
