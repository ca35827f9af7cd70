import Cryptography
import EngineTestSupport
import Foundation
import KeychainMessages
import KeychainModel
import KeychainSecretService
import ModelTestSupport
import SecretServiceProtocol
import Secrets

/// A keychain in a directory of its own, and the Secret Service's store on it.
struct StoreBench {
    static let group = "keychain"
    static let passcode = "the passcode"

    let home: TestHome
    let keychain: TestKeychain
    let store: KeychainItemStore

    init(hasPasscode: Bool = false) throws {
        home = try TestHome()
        keychain = try home.open([Self.group, "other"])
        store = Self.store(keychain)
        if hasPasscode {
            let passcode = Self.secret(Self.passcode)
            _ = try keychain.endpoint.send(DeviceRequest.setPasscode(passcode, current: nil))
        }
    }

    /// The store of a service that starts now.
    static func store(_ keychain: TestKeychain) -> KeychainItemStore {
        KeychainItemStore(keychain.endpoint, group: group, random: SeededRandomSource(seed: 3))
    }

    static func secret(_ text: String) -> SharedSecret {
        SharedSecret(Secret(copying: Array(text.utf8)))
    }

    func unlock() throws {
        _ = try keychain.endpoint.send(DeviceRequest.unlock(passcode: Self.secret(Self.passcode)))
    }

    @discardableResult
    func add(
        _ attributes: [String: String],
        _ value: String = "secret",
        label: String = "An item",
        to collection: String = "login"
    ) throws -> ItemName {
        let content = ItemContent(label: label, attributes: attributes)
        return try store.add(content, StoredSecret(Self.secret(value)), to: collection)
    }

    /// An item with these attributes, with the times that the store has of it.
    func stored(_ attributes: [String: String], of name: ItemName) throws -> StoredItem? {
        guard case .open(_, let created, let modified)? = try store.item(name) else { return nil }
        let content = ItemContent(label: "An item", attributes: attributes)
        return .open(content, created: created, modified: modified)
    }

    func value(of name: ItemName) throws -> String {
        let bytes = try store.secret(of: name).value.secret.copyBytesUnprotected()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An item of another program.
    @discardableResult
    func addForeign(_ service: String, _ account: String, group: String = group) -> SecurityStatus {
        keychain.add(
            .of(
                .genericPassword,
                [
                    .service: .string(service), .account: .string(account),
                    .accessGroup: .string(group),
                ]
            )
        )
    }

    /// What `keychainctl find-generic-password -w` would read.
    func read(_ service: String, _ account: String) -> String? {
        keychain.read(
            .of(
                .genericPassword,
                [.service: .string(service), .account: .string(account)]
            )
        ).value
    }
}
