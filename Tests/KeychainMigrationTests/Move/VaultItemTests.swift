import Foundation
import KeychainMigration
import TestSupport
import Testing
import Vault

@Suite struct `A description of Vault` {
    /// ★ Descriptions of all forms.
    static let passwords: [Password] = [
        Password(service: "api", account: "token"),
        Password(service: "api", account: "token", protection: .whenUnlocked, label: "Token"),
        Password(service: "api", account: "token", protection: .synced(), comment: "for all"),
    ]

    @Test(arguments: passwords)
    func `is the target of a move`(token: Password) throws {
        let place = try Place()
        let phone = try Phone()
        let file = try place.writeList(["session": ["token": "t0ken"]], to: "c.plist")
        try phone.app.run { () throws in
            let old = PropertyListSource(file: PlainFile(file))
            let mover = Mover(journal: FileJournal(file: place.file("journal")))
            #expect(mover.run([Move("session.token", from: old, to: token)]).outcomes == [.moved])
            let text: String? = try Vault().read(token)
            #expect(text == "t0ken")
            let found = try #require(try Vault().list(.passwords()).first)
            #expect(found.item.protection == token.protection)
            #expect(token.label == nil || found.item.label == token.label)
            #expect(token.comment == nil || found.item.comment == token.comment)
        }
    }

    @Test func `names the item of the same address`() throws {
        let phone = try Phone()
        let login = WebLogin(server: "example.com", account: "ada")
        let key = Password(service: "d", account: "k", protection: .requiring(.userPresence))
        try phone.app.run { () throws in
            try Vault().save("s3cret", in: login)
            try Vault().save("key", in: key)
            let keychain = ServicesKeychain()
            #expect(try keychain.text(ItemAddress(login)) == "s3cret")
            #expect(try keychain.exists(ItemAddress(key)))
            #expect(KeychainItem(key).isGated)
            #expect(KeychainItem(key).accessControl?.accessibility == .whenUnlockedThisDeviceOnly)
        }
    }
}
