import PlaintextFormats

/// A protocol and a port, and which items are for them.
///
/// `git-credential` and AutoFill share this rule.
package struct WebService: Hashable, Sendable {
    /// Four letters, as `kSecAttrProtocol` has them.
    package let protocolName: String
    /// nil for the protocol's own.
    package let port: UInt16?

    /// Creates a service; the protocol's own port is the same as none.
    package init(protocolName: String, port: UInt16?) {
        self.protocolName = protocolName
        self.port = port == ProtocolName.defaultPort(ofLetters: protocolName) ? nil : port
    }

    /// Why an item is not for this service; nil if it is.
    ///
    /// An item without a protocol, such as one from a netrc file, is for HTTPS and never for a
    /// plain connection.
    /// - Parameters:
    ///   - itemProtocol: The item's four letters; nil for none.
    ///   - itemPort: The item's port; nil or 0 for the protocol's own.
    /// - Returns: `otherScheme` or `otherPort`.
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

    /// The port's number, 0 for a protocol without one of its own.
    private var number: UInt16 {
        port ?? ProtocolName.defaultPort(ofLetters: protocolName) ?? 0
    }

    private static func scheme(_ letters: String) -> String {
        ProtocolName.scheme(ofLetters: letters)
    }
}
