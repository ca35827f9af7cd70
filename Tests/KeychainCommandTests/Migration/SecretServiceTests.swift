import Foundation
import KeychainMigration
import KeychainModel
import TestSupport
import Testing

@testable import keychain_migrate

private let words = ["--from", "secret-service"]
private let network = "org.gnome.keyring.NetworkPassword"

@Suite struct `Another secret service` {
    private let home: MigrationHome

    init() throws { home = try MigrationHome() }

    @Test(.requirement("USE-07"))
    func `loses the item that was read, and none that has its attributes and more`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory()
        let base = ["server": "h.example", "user": "ann"]
        let wider = base.merging(["object": "mail"]) { $1 }
        service.add("base", base.merging(["xdg:schema": network]) { $1 }, Data("one".utf8))
        service.add(
            "foreign",
            wider.merging(["xdg:schema": "org.example.App"]) { $1 },
            Data("two".utf8)
        )
        let run = home.migrate(words, service: service)
        #expect(run.status == 0, "\(run.output)\(run.diagnostics)")
        #expect(service.contents == ["foreign=two"])
        #expect(home.secret("internet", "ann") == "one")
        #expect(run.output.contains("a program reads its items of schema org.example.App there"))
    }

    @Test func `has each item moved under its own name`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory()
        let base = ["server": "h.example", "user": "ann", "xdg:schema": network]
        service.add("a", base, Data("one".utf8))
        service.add("b", base.merging(["object": "mail"]) { $1 }, Data("two".utf8))
        #expect(home.migrate(words, service: service).status == 0)
        #expect(service.contents == [])
        let find = ["find-internet-password", "-s", "h.example", "-a", "ann", "-w"]
        #expect(home.run(find + ["-p", "/mail"]).output == "two\n")
        #expect(home.run(find).output == "one\n")
    }

    @Test func `keeps items that would become one with different values, and names them`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory()
        let base = ["service": "shop", "user": "ann"]
        service.add("first", base.merging(["stage": "test"]) { $1 }, Data("one".utf8))
        service.add("second", base.merging(["stage": "live"]) { $1 }, Data("two".utf8))
        service.add("third", ["service": "shop", "user": "bob"], Data("three".utf8))
        let run = home.migrate(words, service: service)
        #expect(run.status != 0)
        #expect(run.output.components(separatedBy: "ambiguous").count == 3, "\(run.output)")
        #expect(service.contents == ["first=one", "second=two"])
        #expect(home.secret("generic", "ann") == nil)
        #expect(home.secret("generic", "bob") == "three")
    }

    @Test func `tells items without a schema and a user apart by their other attributes`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory()
        service.add("token", ["stage": "test"], Data("one".utf8))
        service.add("token", ["stage": "live"], Data("two".utf8))
        #expect(home.migrate(words, service: service).status == 0)
        #expect(service.contents == [])
        #expect(home.secret("generic", "stage=test") == "one")
        #expect(home.secret("generic", "stage=live") == "two")
    }

    /// Bytes that a line-based protocol would lose, or take for a further item.
    @Test(
        arguments: [
            Data([0x62, 0xFF, 0x00, 0x78]), Data("one\n[2]\nlabel = x\nattribute.user = eve".utf8),
            Data("\r\n\n".utf8),
        ]
    )
    func `moves any bytes as they are, and gives them back`(value: Data) throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory()
        service.add("odd", ["service": "odd", "user": "ann"], value)
        let run = home.migrate(words, service: service)
        #expect(run.status == 0, "\(run.output)\(run.diagnostics)")
        #expect(run.output.split(separator: "\n").count == 2, "\(run.output)")
        #expect(service.contents == [])
        #expect(home.migrate(words + ["--undo"], service: service).status == 0)
        let path = try #require(service.items.first?.path)
        #expect(try service.value(at: path).secret.copyBytesUnprotected() == value)
    }

    @Test func `may give an item the general schema meanwhile, which changes nothing`() throws {
        defer { home.scratch.remove() }
        let attributes = ["service": "shop", "user": "ann"]
        let general = attributes.merging(["xdg:schema": "org.freedesktop.Secret.Generic"]) { $1 }
        let service = SecretServiceInMemory { service, path in
            service.exchange(path, attributes: general)
        }
        service.add("a", attributes, Data("one".utf8))
        #expect(home.migrate(words, service: service).status == 0)
        #expect(service.contents == [])
    }

    @Test func `loses nothing at a path that has another item by now`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory { service, path in
            service.exchange(path, attributes: ["service": "other"])
        }
        service.add("a", ["service": "shop", "user": "ann"], Data("one".utf8))
        let run = home.migrate(words, service: service)
        #expect(run.status != 0)
        #expect(run.output.contains("changed: secret-service: a"), "\(run.output)")
        #expect(service.contents == ["a=one"])
    }

    @Test func `names a locked collection, and gives up the rest`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory(lockedCollections: ["work"])
        service.add("a", ["service": "shop", "user": "ann"], Data("one".utf8))
        let run = home.migrate(words, service: service)
        #expect(run.status != 0)
        #expect(run.output.contains("locked: secret-service: the collection work"))
        #expect(service.contents == [])
        #expect(home.secret("generic", "ann") == "one")
    }

    @Test func `keeps what ends with the session`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory()
        let session = "/org/freedesktop/secrets/collection/session"
        service.add("a", ["service": "shop"], Data("one".utf8), in: session)
        #expect(home.migrate(words, service: service).status == 0)
        #expect(service.contents == ["a=one"])
    }

    @Test(.requirement("USE-07"))
    func `gets its items back as they were, but no second ones`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory()
        let attributes = ["service": "shop", "user": "ann", "stage": "test"]
        service.add("the shop", attributes, Data("one".utf8))
        #expect(home.migrate(words, service: service).status == 0)
        let undo = home.migrate(["--undo"], service: service)
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(service.contents == ["the shop=one"])
        #expect(service.items.map(\.attributes) == [attributes])
        #expect(
            home.migrate(["--undo"], service: service).output == "nothing to write back was found\n"
        )
        #expect(service.contents == ["the shop=one"])
        #expect(home.secret("generic", "ann") == "one")
    }

    @Test func `keeps a value that somebody stored since, unless it is forced`() throws {
        defer { home.scratch.remove() }
        let service = SecretServiceInMemory()
        let attributes = ["service": "shop", "user": "ann"]
        service.add("the shop", attributes, Data("one".utf8))
        #expect(home.migrate(words, service: service).status == 0)
        service.add("newer", attributes, Data("two".utf8))
        #expect(home.migrate(words + ["--undo"], service: service).status == 45)
        #expect(service.contents == ["newer=two"])
        #expect(home.migrate(words + ["--undo", "--force"], service: service).status == 0)
        #expect(service.contents == ["newer=one"])
    }

    @Test func `says what is missing where there is none`() throws {
        defer { home.scratch.remove() }
        var dependencies = MigrateCommand.Dependencies.inMemory(home: home.scratch.path)
        dependencies.secretService = { () throws(SourceFailure) in
            throw SourceFailure(.unreadable, "secret-service: there is no session bus")
        }
        let run = home.migrate(words, dependencies)
        #expect(run.status != 0)
        #expect(run.output.contains("there is no session bus"))
    }
}
