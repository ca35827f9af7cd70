import JSON
import Secrets

/// An answer to the extension.
///
/// - Source: Documentation/Spec/browser.md §4.
package enum BrowserAnswer: Sendable {
    /// An account to fill in, with the number of accounts for the page.
    case credential(account: String, password: SharedSecret, count: Int)
    /// An offer of a password for another host of the page's domain; a second click accepts it.
    case offer(BrowserOffer)
    /// No password, with a stable word and a sentence for the user.
    case none(code: String, reason: String)

    private var tree: JSONTree<SharedSecret> {
        var members: [String: JSONTree<SharedSecret>] = ["version": .number(BrowserRequest.version)]
        switch self {
        case .credential(let account, let password, let count):
            members["answer"] = .text("credential")
            members["account"] = .text(account)
            members["password"] = .own(password)
            members["count"] = .number(Int64(count))
        case .offer(let offer):
            members["answer"] = .text("offer")
            members["server"] = .text(offer.server)
            members["account"] = .text(offer.account)
        case .none(let code, let reason):
            members["answer"] = .text("none")
            members["code"] = .text(code)
            members["reason"] = .text(reason)
        }
        return .object(members)
    }

    /// The answer as JSON, in memory that is wiped.
    package var message: Secret {
        var counter = AnswerOutput(target: nil)
        tree.write(to: &counter)
        return Secret(byteCount: counter.byteCount) { target in
            var writer = AnswerOutput(target: target)
            tree.write(to: &writer)
        }
    }
}

/// An output that counts the bytes of JSON, and writes them if it has memory for them.
private struct AnswerOutput: JSONOutput {
    typealias Own = SharedSecret

    let target: UnsafeMutableRawBufferPointer?
    private(set) var byteCount = 0

    init(target: UnsafeMutableRawBufferPointer?) { self.target = target }

    mutating func append(raw text: String) { for byte in text.utf8 { append(byte) } }

    mutating func append(quoted text: String) {
        var text = text
        text.withUTF8 { bytes in JSONString.write(UnsafeRawBufferPointer(bytes)) { append($0) } }
    }

    mutating func append(own leaf: SharedSecret) {
        leaf.secret.withUnsafeBytes { bytes in JSONString.write(bytes) { append($0) } }
    }

    private mutating func append(_ byte: UInt8) {
        if let target { target[byteCount] = byte }
        byteCount += 1
    }
}
