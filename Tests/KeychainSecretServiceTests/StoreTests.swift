import Cryptography
import EngineTestSupport
import KeychainMessages
import KeychainModel
import KeychainSecretService
import ModelTestSupport
import SecretServiceProtocol
import Secrets
import TestSupport
import Testing

@Suite struct `Items of the Secret Service in a keychain` {
    @Test(arguments: [
        ("text/plain; charset=utf8", "text/plain"), ("text/plain;charset=UTF-8", "text/plain"),
        ("TEXT/Plain ; Charset=\"utf-8\"", "text/plain"), ("text/plain;", "text/plain"),
        ("text/plain; charset=us-ascii", "text/plain"), ("", "text/plain"),
        ("text/plain; charset='utf-8'", "text/plain"), ("text/plain;;", "text/plain"),
        ("text/plain; charset=ANSI_X3.4-1968", "text/plain"),
        ("text/plain; charset='utf-8", "text/plain; charset='utf-8"),
        ("text/plain; charset=utf-16", "text/plain; charset=utf-16"),
        ("text/plain; format=flowed", "text/plain; format=flowed"),
        ("text/plainer", "text/plainer"), ("application/octet-stream", "application/octet-stream"),
    ])
    func `are text in every spelling of UTF-8`(given: String, read: String) throws {
        let bench = try StoreBench()
        let secret = StoredSecret(StoreBench.secret("x"), contentType: given)
        let content = ItemContent(label: "L", attributes: ["a": "b"])
        let name = try bench.store.add(content, secret, to: "login")
        #expect(try bench.store.secret(of: name).contentType == read)
    }

    @Test(arguments: [nil, "work"] as [String?])
    func `without a schema are found by the generic one`(collection: String?) throws {
        let bench = try StoreBench(hasPasscode: true)
        let generic = ["xdg:schema": "org.freedesktop.Secret.Generic"]
        let place = collection ?? "login"
        try bench.store.save(CollectionRecord(name: "work", label: "Work"))
        let plain = try bench.add(["user": "a"], to: place)
        let named = try bench.add(["user": "b"].merging(generic) { $1 }, to: place)
        try bench.add(["user": "a", "xdg:schema": "org.example.Other"], to: place)
        bench.addForeign("chat", "a")
        let foreign = try bench.store.search(["service": "chat"], in: nil).unlocked
        let all = collection == nil ? [plain, named] + foreign : [plain, named]
        func found(_ attributes: [String: String]) throws -> SearchResult {
            try bench.store.search(attributes.merging(generic) { $1 }, in: collection)
        }
        #expect(try found([:]).unlocked == all)
        #expect(try found(["user": "a"]).unlocked == [plain])
        #expect(try bench.store.item(plain) == bench.stored(["user": "a"], of: plain))
        #expect(try bench.store.lock())
        #expect(try Set(found([:]).locked) == Set(all))
        #expect(try found(["user": "b"]).locked == [named])
    }

    @Test func `have hundreds of attributes`() throws {
        let bench = try StoreBench()
        let pairs = (0..<500).map { ("name\($0)", String(repeating: "v", count: 100)) }
        let attributes = Dictionary(uniqueKeysWithValues: pairs)
        let name = try bench.add(attributes)
        #expect(try bench.store.search(attributes, in: nil).unlocked == [name])
        #expect(try bench.store.search(["name499": pairs[0].1], in: "login").unlocked == [name])
    }

    @Test(.requirement("SSV-04"))
    func `are found by other programs under their usual names`() throws {
        let bench = try StoreBench()
        try bench.add(["service": "mail", "user": "a"], "pa55", label: "Mail")
        #expect(bench.read("mail", "a") == "pa55")
    }

    struct Naming: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let attributes: [String: String]
        let service: String
        let account: String

        static let all: [Naming] = [
            .init(
                testDescription: "Python's keyring",
                attributes: [
                    "application": "Python keyring library", "service": "s", "username": "u",
                ],
                service: "s",
                account: "u"
            ),
            .init(
                testDescription: "git",
                attributes: [
                    "protocol": "https", "server": "h", "user": "u",
                    "xdg:schema": "org.gnome.keyring.NetworkPassword",
                ],
                service: "h",
                account: "u"
            ),
            .init(
                testDescription: "a browser",
                attributes: ["application": "chrome", "xdg:schema": "chrome_libsecret"],
                service: "chrome",
                account: ""
            ),
            .init(
                testDescription: "a schema alone",
                attributes: ["xdg:schema": "org.example.Mail", "id": "7"],
                service: "org.example.Mail",
                account: ""
            ),
            .init(
                testDescription: "nothing but a label",
                attributes: ["xdg:schema": "org.freedesktop.Secret.Generic", "service": ""],
                service: "An item",
                account: ""
            ),
        ]
    }

    @Test(arguments: Naming.all)
    func `are named by their attributes`(naming: Naming) throws {
        let bench = try StoreBench()
        try bench.add(naming.attributes, "x")
        #expect(bench.read(naming.service, naming.account) == "x")
    }

    @Test func `have accounts of their own where names collide`() throws {
        let bench = try StoreBench()
        bench.addForeign("mail", "a")
        let first = try bench.add(["service": "mail", "user": "a"], "one")
        let second = try bench.add(["service": "mail", "user": "a"], "two")
        #expect(bench.read("mail", "a") == "open sesame")
        #expect(try bench.value(of: first) == "one")
        #expect(try bench.value(of: second) == "two")
    }

    @Test func `keep their names for a service that starts anew`() throws {
        let bench = try StoreBench()
        let name = try bench.add(["service": "mail"], "one")
        try bench.store.update(name, with: ItemChange(label: "New", attributes: ["x": "y"]))
        let store = StoreBench.store(bench.keychain)
        let found = try store.search(["x": "y"], in: nil)
        #expect(found.unlocked == [name])
        #expect(try store.search(["service": "mail"], in: "login").unlocked == [])
    }

    @Test func `keep every content type`() throws {
        let bench = try StoreBench()
        let name = try bench.add(["a": "b"])
        #expect(try bench.store.secret(of: name).contentType == "text/plain")
        let secret = StoredSecret(StoreBench.secret("x"), contentType: "application/x-thing")
        try bench.store.update(name, with: ItemChange(secret: secret))
        #expect(try bench.store.secret(of: name).contentType == "application/x-thing")
        try bench.store.update(name, with: ItemChange(secret: StoredSecret(StoreBench.secret(""))))
        #expect(try bench.store.secret(of: name).contentType == "text/plain")
        #expect(try bench.value(of: name) == "")
    }

    @Test(.requirement("SSV-04"))
    func `of other programs are shown and found by service and account`() throws {
        let bench = try StoreBench()
        bench.addForeign("chat", "b")
        bench.addForeign("hidden", "b", group: "other")
        let found = try bench.store.search(["service": "chat", "account": "b"], in: nil).unlocked
        let name = try #require(found.first)
        #expect(try bench.store.items(of: "login") == [name])
        #expect(try bench.store.search(["account": "b"], in: "login").unlocked == [name])
        #expect(try bench.store.search(["user": "b"], in: nil).unlocked == [])
        #expect(try bench.value(of: name) == "open sesame")
        guard case .open(let content, _, _)? = try bench.store.item(name) else {
            Issue.record("the item is not open")
            return
        }
        #expect(content.attributes == ["service": "chat", "account": "b"])
        try bench.store.update(name, with: ItemChange(attributes: ["k": "v"]))
        #expect(try bench.store.search(["k": "v"], in: "login").unlocked == [name])
    }

    @Test func `of other access groups have no path`() throws {
        let bench = try StoreBench()
        bench.addForeign("hidden", "b", group: "other")
        let query = AttributeDictionary.all(
            .genericPassword,
            where: [Attribute.service.rawValue: .string("hidden")],
            returning: [.returnPersistentReference]
        )
        guard case .listing(let listing) = try bench.keychain.endpoint.send(.list(query)),
            let reference = listing.items.first?.persistentReference
        else {
            Issue.record("the item is not there")
            return
        }
        let digits = reference.dropFirst(4).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        let name = ItemName(collection: "login", identifier: digits.joined())
        #expect(try bench.store.item(name) == nil)
        #expect(throws: SecretServiceError(.noSuchObject, "")) { try bench.store.secret(of: name) }
        #expect(throws: SecretServiceError(.noSuchObject, "")) { try bench.store.delete(name) }
    }

    @Test(arguments: ["", "0", "zz", "AA", String(repeating: "0", count: 32), "00000000000000000"])
    func `are missing under names that are none`(identifier: String) throws {
        let bench = try StoreBench()
        let name = ItemName(collection: "login", identifier: identifier)
        #expect(try bench.store.item(name) == nil)
        #expect(throws: SecretServiceError(.noSuchObject, "")) { try bench.store.secret(of: name) }
        #expect(throws: SecretServiceError(.noSuchObject, "")) {
            try bench.store.update(name, with: ItemChange(label: "x"))
        }
    }

    @Test func `are found and listed while the keychain is locked, and not read`() throws {
        let bench = try StoreBench(hasPasscode: true)
        let login = try bench.add(["service": "mail", "user": "a"])
        let work = try bench.add(["service": "mail", "user": "b"], to: "work")
        try bench.store.save(CollectionRecord(name: "work", label: "Work"))
        bench.addForeign("chat", "b")
        let foreign = try bench.store.search(["service": "chat"], in: nil).unlocked
        #expect(try bench.store.lock())
        let store = StoreBench.store(bench.keychain)
        let found = try store.search(["service": "mail"], in: nil)
        #expect(found.unlocked.isEmpty && Set(found.locked) == [login, work])
        #expect(try store.search(["user": "b"], in: "work").locked == [work])
        #expect(try store.search(["service": "chat"], in: nil).locked == foreign)
        #expect(try store.collections().map(\.label) == ["Login", "Work"])
        #expect(try store.items(of: "login") == [login] + foreign)
        #expect(try store.items(of: "work") == [work])
        #expect(try store.item(login) == .locked)
        #expect(throws: SecretServiceError(.isLocked, "")) { try store.secret(of: login) }
        #expect(throws: SecretServiceError(.isLocked, "")) { try store.delete(login) }
        #expect(throws: SecretServiceError(.isLocked, "")) { try bench.add(["a": "b"]) }
        try bench.unlock()
        #expect(try !store.isLocked)
        #expect(try bench.value(of: login) == "secret")
    }

    @Test func `keep collections with their labels and aliases`() throws {
        let bench = try StoreBench()
        try bench.store.save(CollectionRecord(name: "work", label: "Work", aliases: ["a", "b"]))
        try bench.store.save(CollectionRecord(name: "login", label: "Mine", aliases: ["default"]))
        let store = StoreBench.store(bench.keychain)
        let records = try store.collections().sorted { $0.name < $1.name }
        #expect(records.map(\.label) == ["Mine", "Work"])
        #expect(records.map(\.aliases) == [["default"], ["a", "b"]])
        #expect(try store.items(of: "login").isEmpty)
        let item = try bench.add(["x": "y"], to: "work")
        #expect(try store.deleteCollection("work") == [item])
        #expect(try store.collections().map(\.name) == ["login"])
        #expect(try store.search(["x": "y"], in: nil).unlocked.isEmpty)
    }

    @Test(.requirement("SSV-05"))
    func `keep what was granted for a service that starts anew`() throws {
        let bench = try StoreBench()
        try bench.store.grant("/usr/bin/mail")
        try bench.store.grant("/usr/bin/mail")
        let store = StoreBench.store(bench.keychain)
        #expect(try store.grants() == ["/usr/bin/mail"])
        #expect(try store.search([:], in: nil).unlocked == [])
    }

    /// A client chooses service, account and content type of its items.
    @Test(
        .requirement("SSV-05"),
        arguments: [
            ("Secret Service grant", "program:/usr/bin/mail"),
            ("Secret Service collection", "collection:work"),
        ]
    )
    func `are no records, whatever a client writes into them`(
        contentType: String,
        account: String
    ) throws {
        let bench = try StoreBench()
        let attributes = ["service": "org.freedesktop.secrets", "account": account]
        let secret = StoredSecret(StoreBench.secret("x"), contentType: contentType)
        let name = try bench.store.add(ItemContent(attributes: attributes), secret, to: "login")
        let store = StoreBench.store(bench.keychain)
        #expect(try store.grants() == [])
        #expect(try store.collections().map(\.name) == ["login"])
        #expect(try store.items(of: "login") == [name])
    }

    @Test(.requirement("SSV-05"))
    func `are shared by programs only where that is chosen, or each opens them itself`() {
        #expect(Sharing.chosen(nil, .systemDaemon) == .apart)
        #expect(Sharing.chosen(.shared, .systemDaemon) == .shared)
        #expect(Sharing.chosen(nil, .userDaemon) == .shared)
        #expect(Sharing.chosen(nil, .embedded) == .shared)
    }

    /// `keychainctl migrate --undo` needs these records.
    @Test(arguments: [false, true])
    func `are not what a migration took`(isLocked: Bool) throws {
        let bench = try StoreBench(hasPasscode: isLocked)
        bench.addForeign("keychain-migrate.undo", "~/.netrc")
        bench.addForeign("mail", "ann")
        if isLocked { _ = try bench.store.lock() }
        #expect(try bench.store.items(of: "login").count == 1)
        let found = try bench.store.search(["service": "keychain-migrate.undo"], in: nil)
        #expect(found.unlocked + found.locked == [])
        let named = try bench.store.search(["account": "~/.netrc"], in: "login")
        #expect(named.unlocked + named.locked == [])
    }

    /// Walks through the same random calls on a keychain and on the model.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `answer as the model does`(seed: UInt64) throws {
        let bench = try StoreBench()
        let model = MemoryItemStore(now: { 0 })
        let outcomes = try StoreWalk.outcomes(of: 120, seed: seed, bench.store)
        #expect(try StoreWalk.outcomes(of: 120, seed: seed, model) == outcomes, "seed \(seed)")
    }
}

/// Random calls on a store; items are told apart by when they were added.
private struct StoreWalk {
    private let store: any SecretItemStore
    private var numbers: [ItemName: Int] = [:]
    private var names: [ItemName] = []
    private let random: SeededRandomSource

    init(seed: UInt64, _ store: any SecretItemStore) {
        self.store = store
        random = SeededRandomSource(seed: seed)
    }

    /// What comes of so many calls, each in words.
    static func outcomes(
        of count: Int,
        seed: UInt64,
        _ store: any SecretItemStore
    ) throws -> [String] {
        try store.save(CollectionRecord(name: "work", label: "Work"))
        var walk = StoreWalk(seed: seed, store)
        return try (0..<count).map { "\($0) \(try walk.step())" }
    }

    private func number(below limit: Int) throws -> Int { Int(try random.bytes(1)[0]) % limit }

    private func attributes() throws -> [String: String] {
        var attributes: [String: String] = [:]
        for name in ["service", "user", "x"] where try number(below: 3) > 0 {
            attributes[name] = String(try number(below: 3))
        }
        return attributes
    }

    /// Makes a call; what comes of it, in words.
    mutating func step() throws -> String {
        let collection = try number(below: 3) == 0 ? "work" : "login"
        let attributes = try attributes()
        let value = StoredSecret(StoreBench.secret(String(try number(below: 200))))
        let kind = try number(below: 6)
        let chosen = try number(below: 20)
        do throws(SecretServiceError) {
            switch kind {
            case 0, 1:
                let content = ItemContent(label: "L\(chosen)", attributes: attributes)
                let name = try store.add(content, value, to: collection)
                numbers[name] = names.count
                names.append(name)
                return "added"
            case 2:
                let scope = chosen < 7 ? nil : collection
                let found = try store.search(attributes, in: scope)
                return "found \(order(found.unlocked)) \(order(found.locked))"
            case 3:
                guard chosen < names.count else { return "-" }
                let change = ItemChange(
                    attributes: chosen % 2 == 0 ? attributes : nil,
                    secret: chosen % 3 == 0 ? value : nil
                )
                try store.update(names[chosen], with: change)
                return "updated"
            case 4:
                guard chosen < names.count else { return "-" }
                let bytes = try store.secret(of: names[chosen]).value.secret.copyBytesUnprotected()
                guard case .open(let content, _, _)? = try store.item(names[chosen]) else {
                    return "closed"
                }
                return "\(bytes) \(content.label) \(content.attributes.sorted { $0.key < $1.key })"
            default:
                guard chosen < names.count, chosen % 2 == 0 else {
                    return "items \(order(try store.items(of: collection)))"
                }
                try store.delete(names[chosen])
                return "deleted"
            }
        } catch { return error.kind.rawValue }
    }

    private func order(_ found: [ItemName]) -> [Int] { found.map { numbers[$0] ?? -1 }.sorted() }
}
