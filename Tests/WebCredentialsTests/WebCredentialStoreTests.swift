import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import WebCredentials

/// Answers from a list, and keeps what else it was sent.
private final class ScriptedKeychain {
    private let listing: Listing
    /// What was sent beside searches.
    private(set) var writes: [ItemRequest] = []

    init(_ passwords: [SamplePassword], closed: [OutOfReachItem] = []) {
        var listing = Listing()
        listing.items = passwords.map(\.item)
        listing.outOfReach = closed
        self.listing = listing
    }

    var credentials: WebCredentialStore {
        WebCredentialStore(
            CredentialKeychain { request throws(KeychainError) in
                switch request {
                case .list: return .listing(self.listing)
                case .copyMatching: return .result(.dictionary(Self.secret))
                default:
                    self.writes.append(request)
                    return .done
                }
            }
        )
    }

    private static var secret: ItemDictionary {
        var item = ItemDictionary()
        item.data = SharedSecret(Secret(copying: "open sesame".utf8))
        return item
    }
}

@Suite struct `Credentials of the web` {
    private static func accounts(
        _ passwords: [SamplePassword],
        for request: WebRequest
    ) throws -> [String] {
        try ScriptedKeychain(passwords).credentials.matches(request).map(\.account)
    }

    @Test(.requirement("AFL-07"))
    func `come without a path first, then by their protocol, then the newest`() throws {
        let passwords = [
            SamplePassword(account: "with a path", path: "/team", modified: 9),
            SamplePassword(account: "without a protocol", protocolName: nil, modified: 8),
            SamplePassword(account: "older", modified: 1),
            SamplePassword(account: "newer", modified: 2),
        ]
        let expected = ["newer", "older", "without a protocol", "with a path"]
        #expect(try Self.accounts(passwords, for: .sample()) == expected)
    }

    @Test func `are refused with the reason of an item that stays closed if there are no others`()
        throws
    {
        let closed = OutOfReachItem(
            .internetPassword,
            .lockState,
            attributes: [:],
            persistentReference: [1],
            error: KeychainError(.interactionNotAllowed, "locked")
        )
        let alone = ScriptedKeychain([], closed: [closed])
        #expect(throws: KeychainError(.interactionNotAllowed, "")) {
            _ = try alone.credentials.matches(.sample())
        }
        let beside = ScriptedKeychain([SamplePassword()], closed: [closed])
        #expect(try beside.credentials.matches(.sample()).map(\.account) == ["alice"])
    }

    @Test(arguments: [("open sesame", "/team", 0), ("another", "/team", 1), ("another", "", 1)])
    func `are written only where the secret is not found already`(
        secret: String,
        path: String,
        writes: Int
    ) throws {
        let keychain = ScriptedKeychain([SamplePassword(path: path)])
        try keychain.credentials.store(
            SharedSecret(Secret(copying: secret.utf8)),
            for: .sample(username: "alice")
        )
        #expect(keychain.writes.count == writes)
    }

    @Test func `keep a person's lines of a comment beside those for programs`() {
        var notes = CredentialNotes(comment: "mine\npassword_expiry_utc=12\n")
        #expect(notes.expiry == 12)
        notes.expiry = 13
        notes.authenticationScheme = "Bearer"
        #expect(notes.comment == "mine\npassword_expiry_utc=13\nauthtype=Bearer")
    }
}
