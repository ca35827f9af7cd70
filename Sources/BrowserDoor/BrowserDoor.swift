import AutoFill
import JSON
import KeychainMessages
import KeychainModel
import Secrets
import WebCredentials

/// A door that answers the extension's messages from a keychain.
///
/// AutoFill decides which items belong to a page. This type asks AutoFill, and reads one secret.
package struct BrowserDoor {
    private let send: CredentialKeychain.Send
    private let credentials: WebCredentialStore

    /// Makes a door that sends requests through a function.
    package init(send: @escaping CredentialKeychain.Send) {
        self.send = send
        credentials = WebCredentialStore(CredentialKeychain(send: send))
    }

    /// Answers one message.
    ///
    /// - Returns: The framed answer; an invalid message gets one, too.
    package func answer(to message: [UInt8]) -> SharedSecret {
        let answer: BrowserAnswer
        do throws(BrowserRequestError) {
            answer = self.answer(try BrowserRequest(message: message))
        } catch {
            answer = .none(code: "message", reason: error.reason)
        }
        return Self.framed(answer)
    }

    /// The answer to a message that is too long to be read.
    package static let refusalOfLength = framed(
        .none(code: "message", reason: "The message is too long.")
    )

    private static func framed(_ answer: BrowserAnswer) -> SharedSecret {
        do throws(NativeMessageError) {
            return try NativeMessage.framed(answer.message)
        } catch {
            let short = BrowserAnswer.none(
                code: "too-long",
                reason: "The item is too long for a browser."
            )
            // The message has about a hundred bytes, so framing cannot fail.
            return (try? NativeMessage.framed(short.message)) ?? SharedSecret(Secret(copying: []))
        }
    }

    func answer(_ request: BrowserRequest) -> BrowserAnswer {
        do throws(AutoFillRefusal) {
            let page = try PageAddress(request.url)
            do throws(KeychainError) {
                return try answer(request, on: page)
            } catch {
                return Self.refusal(error)
            }
        } catch {
            return .none(code: error.code, reason: error.sentence)
        }
    }

    private func answer(
        _ request: BrowserRequest,
        on page: PageAddress
    ) throws(KeychainError) -> BrowserAnswer {
        let found = try credentials.offers(for: page)
        guard let nearest = found.matches.first else {
            let reason = found.reason ?? .noItem
            return .none(code: reason.code, reason: reason.sentence)
        }
        // Items of the page's own host, or else those of its domain, but never both.
        let matches = found.matches.filter { $0.closeness == nearest.closeness }
        guard let chosen = AccountChoice(matches.map(\.candidate)).chosen(for: request) else {
            let reason = AutoFillRefusal.otherAccount
            return .none(
                code: reason.code,
                reason: "The keychain has no password of the account in the form for this page."
            )
        }
        if nearest.closeness == .sameDomain {
            // The page controls the account field, so after the first click it may choose another
            // item.
            let offer = BrowserOffer(server: chosen.item.server, account: chosen.item.account)
            guard request.accepted == offer else { return .offer(offer) }
        }
        return try credential(chosen.item, count: chosen.count, on: page)
    }

    private func credential(
        _ item: AutoFillCandidate,
        count: Int,
        on page: PageAddress
    ) throws(KeychainError) -> BrowserAnswer {
        let reason = "to fill in \(item.account) of \(item.server) at \(page.origin)"
        let password = try secret(of: item, for: reason)
        guard password.secret.withUnsafeBytes(Self.fitsField) else {
            return .none(
                code: "not-text",
                reason: "The item's value is not one line of text, so no field can take it."
            )
        }
        return .credential(account: item.account, password: password, count: count)
    }

    /// Whether the bytes are text without control characters, which a field would drop.
    private static func fitsField(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && JSONString.isText(bytes)
    }

    private static func refusal(_ error: KeychainError) -> BrowserAnswer {
        .none(code: error.status.name, reason: "The keychain refused: \(error.description).")
    }
}

extension BrowserDoor {
    /// Returns the secret of one item; its access control may prompt the user.
    private func secret(
        of item: AutoFillCandidate,
        for reason: String
    ) throws(KeychainError) -> SharedSecret {
        var named = AttributeDictionary.named(.internetPassword, item.reference)
        named[QueryKey.useOperationPrompt.rawValue] = .string(reason)
        let query = AttributeDictionary.first(of: named, returning: [.returnData])
        guard case .result(.dictionary(let found)) = try send(.copyMatching(query)) else {
            throw .unexpectedReply
        }
        return found.data ?? SharedSecret(Secret(copying: []))
    }
}
