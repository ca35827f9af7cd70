import JSON
import Secrets

extension JSONText {
    /// Parses a file.
    ///
    /// - Throws: `PlaintextError` unless the file is one complete value.
    init(_ view: ByteView) throws(PlaintextError) {
        do throws(JSONError) { try self.init(view.bytes) } catch {
            throw PlaintextError(error.line, error.reason)
        }
    }

    /// Parses a JSON text, and passes it to `body` while its bytes exist.
    ///
    /// - Throws: `PlaintextError` unless the text is one complete value.
    package static func read<R>(
        _ secret: borrowing Secret,
        _ body: (JSONText) throws(PlaintextError) -> R
    ) throws(PlaintextError) -> R {
        try secret.withUnsafeBytes { bytes throws(PlaintextError) in
            try body(try JSONText(try ByteView(bytes)))
        }
    }

    /// Returns a string as UTF-8; nil for other values and for invalid escapes.
    func secret(_ node: Node?) -> SharedSecret? {
        guard let node, let inside = inside(of: node) else { return nil }
        return SecretEncoding.json.decoded(bytes[inside])
    }

    /// Whether a string looks like a secret.
    func seemsSecret(_ node: Node) -> Bool {
        secret(node).map { SecretName.seemsSecret(value: $0.secret) } ?? false
    }

    /// Returns the range and encoding of a string's content.
    func written(_ node: Node, _ encoding: SecretEncoding = .json, prefix: String = "")
        -> WrittenSecret
    {
        WrittenSecret(inside(of: node) ?? node.range, encoding, prefix: prefix)
    }

    /// Returns the strings of a flat object by key, such as those of docker's protocol.
    package func strings() -> [String: SharedSecret] {
        guard case .object(let members) = root.content else { return [:] }
        var strings: [String: SharedSecret] = [:]
        for member in members { strings[member.key] = secret(member.value) }
        return strings
    }
}
