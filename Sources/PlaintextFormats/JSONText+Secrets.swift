import JSON
import Secrets

extension JSONText {
    /// Reads a file.
    ///
    /// - Throws: `PlaintextError` for anything but one whole value.
    init(_ view: ByteView) throws(PlaintextError) {
        do throws(JSONError) { try self.init(view.bytes) } catch {
            throw PlaintextError(error.line, error.reason)
        }
    }

    /// Reads the bytes of a JSON text and hands it on for as long as the bytes are there.
    ///
    /// - Throws: `PlaintextError` for anything but one whole value.
    package static func read<R>(
        _ secret: borrowing Secret,
        _ body: (JSONText) throws(PlaintextError) -> R
    ) throws(PlaintextError) -> R {
        try secret.withUnsafeBytes { bytes throws(PlaintextError) in
            try body(try JSONText(try ByteView(bytes)))
        }
    }

    /// A string as UTF-8; nil for other values and for bad escapes.
    func secret(_ node: Node?) -> SharedSecret? {
        guard let node, let inside = inside(of: node) else { return nil }
        return SecretEncoding.json.decoded(bytes[inside])
    }

    /// Whether a string looks like a secret.
    func seemsSecret(_ node: Node) -> Bool {
        secret(node).map { SecretName.seemsSecret(value: $0.secret) } ?? false
    }

    /// Where the inside of a string stands.
    func written(_ node: Node, _ encoding: SecretEncoding = .json, prefix: String = "")
        -> WrittenSecret
    {
        WrittenSecret(inside(of: node) ?? node.range, encoding, prefix: prefix)
    }

    /// The strings of a flat object by their keys, such as the ones of docker's protocol.
    package func strings() -> [String: SharedSecret] {
        guard case .object(let members) = root.content else { return [:] }
        var strings: [String: SharedSecret] = [:]
        for member in members { strings[member.key] = secret(member.value) }
        return strings
    }
}
