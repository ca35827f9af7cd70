import JSON

/// A request of the extension after one click.
///
/// - Source: Documentation/Spec/browser.md §3.
package struct BrowserRequest: Equatable, Sendable {
    package static let version: Int64 = 1

    /// The tab's address from the browser: its origin and path.
    package var url: String
    /// The content of the form's account field; may be empty.
    package var account = ""
    /// Whether the form is already filled in, so that the next account is wanted.
    package var isNext = false
    /// The offer that the user accepted with a second click; nil if there is none.
    package var accepted: BrowserOffer?

    package init(url: String) { self.url = url }
}

/// An item for another host of the page's domain.
///
/// The user accepts exactly this item.
package struct BrowserOffer: Equatable, Sendable {
    /// The server in the item.
    package let server: String
    package let account: String

    package init(server: String, account: String) {
        self.server = server
        self.account = account
    }
}

/// The reason why a message is not a request, as a sentence with its full stop.
package struct BrowserRequestError: Error, Equatable {
    package let reason: String
}

extension BrowserRequest {
    private static let limits = JSONLimits(depth: 4, byteCount: NativeMessage.incomingLimit)

    /// Parses a message.
    ///
    /// - Throws: The reason why it is invalid, without any part of the message.
    package init(message: [UInt8]) throws(BrowserRequestError) {
        let members: [String: JSONTree<Never>]
        do throws(JSONError) {
            members = try JSONText.read(message, Self.limits) { text throws(JSONError) in
                guard text.repeatedKey == nil else {
                    throw JSONError(line: 1, reason: "a key that is there twice")
                }
                guard case .object(let members) = try JSONTree<Never>(text) else {
                    throw JSONError(line: 1, reason: "no object")
                }
                return members
            }
        } catch {
            throw BrowserRequestError(reason: "The message is not valid: \(error.reason).")
        }
        guard case .number(Self.version)? = members["version"] else {
            throw BrowserRequestError(
                reason: "The extension and keychain-browser have different versions."
            )
        }
        guard case .text("fill")? = members["request"] else {
            throw BrowserRequestError(reason: "The message asks for something unknown.")
        }
        guard case .text(let url)? = members["url"] else {
            throw BrowserRequestError(reason: "The message has no url.")
        }
        self.init(url: url)
        account = try Self.value("account", of: members, "") { tree in
            if case .text(let text) = tree { text } else { nil }
        }
        isNext = try Self.flag("next", of: members)
        accepted = try Self.value("accepts", of: members, nil) { tree in
            guard case .object(let offer) = tree, case .text(let server)? = offer["server"],
                case .text(let account)? = offer["account"]
            else { return nil }
            return .some(BrowserOffer(server: server, account: account))
        }
    }

    private static func flag(
        _ key: String,
        of members: [String: JSONTree<Never>]
    ) throws(BrowserRequestError) -> Bool {
        try value(key, of: members, false) { tree in
            if case .flag(let flag) = tree { flag } else { nil }
        }
    }

    private static func value<Value>(
        _ key: String,
        of members: [String: JSONTree<Never>],
        _ absent: Value,
        _ read: (JSONTree<Never>) -> Value?
    ) throws(BrowserRequestError) -> Value {
        guard let member = members[key] else { return absent }
        guard let value = read(member) else {
            throw BrowserRequestError(reason: "The message has a \(key) of the wrong type.")
        }
        return value
    }
}
