import JSON
import Secrets

/// A JSON value for `--json`, in which strings can be secrets.
package typealias JSONValue = JSONTree<SharedSecret>

extension JSONTree where Own == SharedSecret {
    /// Makes a string from a secret, whose bytes must be UTF-8.
    package static func secret(_ secret: SharedSecret) -> Self { .own(secret) }

    /// The value as lines of JSON.
    package var page: Page {
        var page = Page()
        write(to: &page)
        return page
    }
}

extension Page: JSONOutput {
    /// Appends a JSON string in quotation marks.
    package mutating func append(quoted text: String) {
        append(raw: ByteRule.json.text(of: Array(text.utf8)))
    }

    /// Appends a secret as a JSON string in quotation marks.
    package mutating func append(own secret: SharedSecret) {
        append(ByteRule.json.secret(of: secret.secret))
    }
}
