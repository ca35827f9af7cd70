import JSON
import Secrets

/// A value for `--json`, some of whose strings are secrets.
package typealias JSONValue = JSONTree<SharedSecret>

extension JSONTree where Own == SharedSecret {
    /// Written as a string; the bytes must be UTF-8.
    package static func secret(_ secret: SharedSecret) -> Self { .own(secret) }

    /// The value as lines.
    package var page: Page {
        var page = Page()
        write(to: &page)
        return page
    }
}

extension Page: JSONOutput {
    /// Adds a JSON string with its quotes.
    package mutating func append(quoted text: String) {
        append(raw: ByteRule.json.text(of: Array(text.utf8)))
    }

    /// Adds a secret as a JSON string with its quotes.
    package mutating func append(own secret: SharedSecret) {
        append(ByteRule.json.secret(of: secret.secret))
    }
}
