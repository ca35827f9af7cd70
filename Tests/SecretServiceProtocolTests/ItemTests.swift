import SecretServiceProtocol
import Secrets
import TestSupport
import Testing

@Suite struct `An item of the Secret Service` {
    @Test func `keeps its path through every change`() throws {
        var bench = SecretServiceBench()
        let path = try bench.item(["user": "a"], "one")
        #expect(bench.announced == ["ItemCreated \(path)"])
        let session = try bench.session()
        let secret: BusValue = .secret(.plain(Array("two".utf8), session, contentType: "a/b"))
        try bench.call(path, SecretServiceBench.itemName, "SetSecret", [secret])
        #expect(bench.announced == ["ItemChanged \(path)"])
        try bench.call(
            path,
            InterfaceTable.propertiesName,
            "Set",
            [
                .text(SecretServiceBench.itemName), .text("Attributes"),
                .variant(.attributes(["user": "b"])),
            ]
        )
        #expect(try bench.search(["user": "b"]).unlocked == [path])
        #expect(try bench.search(["user": "a"]).unlocked == [])
        #expect(try bench.secret(of: path) == "two")
    }

    @Test func `is found by any part of its attributes`() throws {
        var bench = SecretServiceBench()
        let first = try bench.item(["service": "mail", "user": "a"])
        let second = try bench.item(["service": "mail", "user": "b"])
        #expect(try bench.search(["service": "mail"]).unlocked == [first, second])
        #expect(try bench.search(["user": "b"]).unlocked == [second])
        #expect(try bench.search(["user": "b", "service": "mail"]).unlocked == [second])
        #expect(try bench.search([:]).unlocked == [first, second])
        #expect(try bench.search(["user": "b", "x": ""]).unlocked == [])
    }

    @Test func `replaces one with exactly its attributes`() throws {
        var bench = SecretServiceBench()
        let first = try bench.item(["user": "a"], "one")
        let larger = try bench.item(["user": "a", "more": "x"], "two", replace: true)
        let same = try bench.item(["user": "a"], "three", label: "New", replace: true)
        #expect(bench.announced == ["ItemChanged \(first)"])
        #expect(same == first && larger != first)
        #expect(try bench.secret(of: first) == "three")
        let label = try bench.property("Label", of: first, SecretServiceBench.itemName)
        #expect(label.text == "New")
    }

    @Test func `stands beside an equal one unless it replaces it`() throws {
        var bench = SecretServiceBench()
        let paths = [try bench.item(["user": "a"]), try bench.item(["user": "a"])]
        #expect(Set(paths).count == 2)
    }

    @Test func `is gone when it is deleted`() throws {
        var bench = SecretServiceBench()
        let path = try bench.item(["user": "a"])
        let reply = try bench.call(path, SecretServiceBench.itemName, "Delete")
        #expect(reply[0].path == ObjectPath.none)
        #expect(bench.announced == ["ItemDeleted \(path)"])
        #expect(throws: SecretServiceError(.noSuchObject, "")) { try bench.secret(of: path) }
        #expect(throws: SecretServiceError(.noSuchObject, "")) {
            try bench.property("Label", of: path, SecretServiceBench.itemName)
        }
    }

    @Test func `is handed over with others, without those that are not there`() throws {
        var bench = SecretServiceBench()
        let first = try bench.item(["user": "a"], "one")
        let session = try bench.session()
        let missing = SecretServiceBench.login + "/99"
        let reply = try bench.call(
            SecretServiceBench.service,
            SecretServiceBench.serviceName,
            "GetSecrets",
            [.paths([missing, first, first, "/"]), .path(session)]
        )
        guard case .secrets(let secrets) = reply[0] else { throw SecretServiceError(.failed, "") }
        #expect(secrets.map(\.path) == [first])
    }

    @Test func `is found below an alias of its collection`() throws {
        var bench = SecretServiceBench()
        let path = try bench.item(
            ["user": "a"],
            "one",
            in: SecretServiceBench.service + "/aliases/default"
        )
        #expect(path.hasPrefix(SecretServiceBench.login + "/"))
        let name = path.split(separator: "/").last ?? ""
        #expect(
            try bench.secret(of: SecretServiceBench.service + "/aliases/default/\(name)") == "one"
        )
    }

    @Test func `shows nothing but its path while the keychain is locked`() throws {
        var bench = SecretServiceBench()
        let path = try bench.item(["user": "a"])
        let reply = try bench.call(
            SecretServiceBench.service,
            SecretServiceBench.serviceName,
            "Lock",
            [.paths([SecretServiceBench.login])]
        )
        #expect(reply[0].paths == [SecretServiceBench.login])
        let found = try bench.search(["user": "a"])
        #expect(found.unlocked.isEmpty && found.locked == [path])
        #expect(try bench.property("Locked", of: path, SecretServiceBench.itemName).flag == true)
        let attributes = try bench.property("Attributes", of: path, SecretServiceBench.itemName)
        #expect(attributes.attributes.isEmpty)
        #expect(throws: SecretServiceError(.isLocked, "")) { try bench.secret(of: path) }
        #expect(throws: SecretServiceError(.isLocked, "")) { try bench.item(["user": "b"]) }
        #expect(throws: SecretServiceError(.isLocked, "")) {
            try bench.item(["user": "a"], replace: true)
        }
    }

    @Test func `stays open in memory while the keychain is locked`() throws {
        var bench = SecretServiceBench()
        let path = try bench.item(["user": "a"], "one", in: SecretServiceBench.memory)
        _ = try bench.store.lock()
        #expect(try bench.search(["user": "a"]).unlocked == [path])
        #expect(try bench.secret(of: path) == "one")
        #expect(try bench.property("Locked", of: path, SecretServiceBench.itemName).flag == false)
    }
}

@Suite(.requirement("SSV-01")) struct `A collection` {
    private func create(
        _ label: String,
        alias: String = "",
        _ bench: inout SecretServiceBench
    ) throws -> String {
        let properties: [String: BusValue] = [
            SecretServiceBench.collectionName + ".Label": .text(label)
        ]
        return try bench.call(
            SecretServiceBench.service,
            SecretServiceBench.serviceName,
            "CreateCollection",
            [.properties(properties), .text(alias)]
        )[0].path
    }

    @Test(arguments: [
        ("Work", "work"), ("Mine & Yours", "mine___yours"), ("", "collection"),
        ("Login", "login_2"), ("Ä", "__"),
    ])
    func `has a path that is made of its label`(label: String, name: String) throws {
        var bench = SecretServiceBench()
        let path = try create(label, &bench)
        #expect(path == SecretServiceBench.service + "/collection/" + name)
        #expect(bench.announced == ["CollectionCreated \(path)"])
        #expect(bench.changedProperties == ["Collections"])
        let read = try bench.property("Label", of: path, SecretServiceBench.collectionName)
        #expect(read.text == label)
    }

    @Test func `is the one that has the alias already`() throws {
        var bench = SecretServiceBench()
        #expect(try create("New", alias: "default", &bench) == SecretServiceBench.login)
        let mine = try create("Mine", alias: "mine", &bench)
        #expect(try create("Other", alias: "mine", &bench) == mine)
    }

    /// gnome-keyring's clients ask for it by this name.
    @Test func `of all programs has the alias login`() throws {
        var bench = SecretServiceBench()
        let (service, name) = (SecretServiceBench.service, SecretServiceBench.serviceName)
        func alias() throws -> String {
            try bench.call(service, name, "ReadAlias", [.text("login")])[0].path
        }
        #expect(try alias() == SecretServiceBench.login)
        #expect(try create("New", alias: "login", &bench) == SecretServiceBench.login)
        let label = try bench.property(
            "Label",
            of: service + "/aliases/login",
            SecretServiceBench.collectionName
        )
        #expect(label.text == "Login")
        let work = try create("Work", &bench)
        try bench.call(service, name, "SetAlias", [.text("login"), .path(work)])
        #expect(try alias() == work)
        try bench.call(service, name, "SetAlias", [.text("login"), .path("/")])
        #expect(try alias() == SecretServiceBench.login)
    }

    @Test func `gives its alias to another one`() throws {
        var bench = SecretServiceBench()
        let work = try create("Work", &bench)
        let name = SecretServiceBench.serviceName
        let service = SecretServiceBench.service
        try bench.call(service, name, "SetAlias", [.text("default"), .path(work)])
        #expect(try bench.call(service, name, "ReadAlias", [.text("default")])[0].path == work)
        try bench.call(service, name, "SetAlias", [.text("default"), .path("/")])
        let login = try bench.call(service, name, "ReadAlias", [.text("default")])[0].path
        #expect(login == SecretServiceBench.login)
        #expect(try bench.call(service, name, "ReadAlias", [.text("none")])[0].path == "/")
        #expect(throws: SecretServiceError(.invalidArguments, "")) {
            try bench.call(service, name, "SetAlias", [.text("a/b"), .path(work)])
        }
        #expect(throws: SecretServiceError(.notSupported, "")) {
            try bench.call(service, name, "SetAlias", [.text("session"), .path(work)])
        }
    }

    @Test func `takes its items along when it is deleted`() throws {
        var bench = SecretServiceBench()
        let work = try create("Work", &bench)
        let item = try bench.item(["user": "a"], in: work)
        try bench.call(work, SecretServiceBench.collectionName, "Delete")
        #expect(bench.announced == ["ItemDeleted \(item)", "CollectionDeleted \(work)"])
        #expect(try bench.search(["user": "a"]).unlocked == [])
    }

    @Test(arguments: [SecretServiceBench.login, SecretServiceBench.memory])
    func `is kept if others rely on it`(path: String) {
        var bench = SecretServiceBench()
        #expect(throws: SecretServiceError(.notSupported, "")) {
            try bench.call(path, SecretServiceBench.collectionName, "Delete")
        }
    }

    @Test func `lists and finds its own items`() throws {
        var bench = SecretServiceBench()
        let work = try create("Work", &bench)
        let mine = try bench.item(["user": "a"])
        let theirs = try bench.item(["user": "a"], in: work)
        let name = SecretServiceBench.collectionName
        #expect(try bench.property("Items", of: work, name).paths == [theirs])
        let query: [BusValue] = [.attributes(["user": "a"])]
        #expect(
            try bench.call(SecretServiceBench.login, name, "SearchItems", query)[0].paths == [mine]
        )
    }

    @Test func `tells when another program locks the keychain`() throws {
        var bench = SecretServiceBench()
        let name = SecretServiceBench.collectionName
        #expect(try bench.property("Locked", of: SecretServiceBench.login, name).flag == false)
        _ = try bench.store.lock()
        let signals = bench.machine.noteLockState()
        #expect(signals.map(\.member) == ["PropertiesChanged", "CollectionChanged"])
        #expect(bench.machine.noteLockState().isEmpty)
    }

    @Test func `stays unlocked without a passcode`() throws {
        var bench = SecretServiceBench(hasPasscode: false)
        let reply = try bench.call(
            SecretServiceBench.service,
            SecretServiceBench.serviceName,
            "Lock",
            [.paths([SecretServiceBench.login])]
        )
        #expect(reply[0].paths == [])
    }
}
