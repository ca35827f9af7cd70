import SecretServiceProtocol
import Testing

@Suite(.requirement("SSV-05")) struct `Programs that are kept apart` {
    private static let mail = ":1.7"
    private static let chat = ":1.8"
    private static let otherMail = ":1.9"
    private static let service = SecretServiceBench.service
    private static let alias = service + "/aliases/default"
    private static let login = SecretServiceBench.login

    /// Three clients of two programs.
    private func apart() -> SecretServiceBench {
        var bench = SecretServiceBench()
        bench.programs = [
            Self.mail: "/usr/bin/mail", Self.chat: "/usr/bin/chat", Self.otherMail: "/usr/bin/mail",
        ]
        return bench
    }

    private func unlockLogin(_ bench: inout SecretServiceBench) throws -> (String, UInt64) {
        let reply = try bench.call(
            Self.service,
            SecretServiceBench.serviceName,
            "Unlock",
            [.paths([Self.login])],
            from: Self.chat
        )
        #expect(reply[0].paths == [])
        let path = reply[1].path
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")], from: Self.chat)
        let number = path.split(separator: "/").last.flatMap { UInt64($0) } ?? 0
        #expect(bench.work == [.ask(number, program: "/usr/bin/chat")])
        return (path, number)
    }

    @Test func `see their own items, whichever of their processes asks`() throws {
        var bench = apart()
        let item = try bench.item(["k": "v"], "one", in: Self.alias)
        #expect(try bench.search(["k": "v"]).unlocked == [item])
        #expect(try bench.search(["k": "v"], from: Self.otherMail).unlocked == [item])
        #expect(try bench.secret(of: item, from: Self.otherMail) == "one")
        #expect(try bench.search(["k": "v"], from: Self.chat).unlocked == [])
        #expect(try bench.search([:], from: Self.chat).unlocked == [])
    }

    /// Calls on the path of another program's item, with their arguments.
    private static let calls: [(interface: String, member: String, arguments: [BusValue])] = [
        (SecretServiceBench.itemName, "Delete", []),
        (InterfaceTable.propertiesName, "GetAll", [.text(SecretServiceBench.itemName)]),
        (
            InterfaceTable.propertiesName, "Set",
            [.text(SecretServiceBench.itemName), .text("Label"), .variant(.text("x"))]
        ),
        (InterfaceTable.introspectableName, "Introspect", []),
    ]

    @Test(arguments: calls.indices)
    func `find nothing at the path of another one's item`(index: Int) throws {
        var bench = apart()
        let item = try bench.item(["k": "v"], "one", in: Self.alias)
        let (interface, member, arguments) = Self.calls[index]
        #expect(throws: SecretServiceError(.noSuchObject, "")) {
            try bench.call(item, interface, member, arguments, from: Self.chat)
        }
        #expect(throws: SecretServiceError(.noSuchObject, "")) {
            _ = try bench.secret(of: item, from: Self.chat)
        }
        let session = try bench.session(from: Self.chat)
        let secrets = try bench.call(
            Self.service,
            SecretServiceBench.serviceName,
            "GetSecrets",
            [.paths([item]), .path(session)],
            from: Self.chat
        )
        guard case .secrets(let found)? = secrets.first else {
            Issue.record("no secrets")
            return
        }
        #expect(found.isEmpty)
        #expect(try bench.secret(of: item) == "one")
    }

    @Test func `have collections, aliases and a session collection of their own`() throws {
        var bench = apart()
        let label: [String: BusValue] = [SecretServiceBench.collectionName + ".Label": .text("A")]
        let made = try bench.call(
            Self.service,
            SecretServiceBench.serviceName,
            "CreateCollection",
            [.properties(label), .text("work")]
        )[0].path
        let kept = try bench.item(["k": "v"], in: SecretServiceBench.memory)
        let alias: [BusValue] = [.text("work")]
        let name = SecretServiceBench.serviceName
        #expect(try bench.call(Self.service, name, "ReadAlias", alias)[0].path == made)
        #expect(
            try bench.call(Self.service, name, "ReadAlias", alias, from: Self.chat)[0].path
                == ObjectPath.none
        )
        let collections = try bench.property(
            "Collections",
            of: Self.service,
            name,
            from: Self.chat
        ).paths
        #expect(collections.count == 3 && !collections.contains(made))
        #expect(throws: SecretServiceError(.noSuchObject, "")) {
            try bench.call(
                made,
                SecretServiceBench.collectionName,
                "SearchItems",
                [.attributes([:])],
                from: Self.chat
            )
        }
        #expect(try bench.search([:], from: Self.chat).unlocked == [])
        #expect(try bench.search([:]).unlocked == [kept])
    }

    @Test func `see the shared collection once a person grants it`() throws {
        var bench = apart()
        let shared = try bench.store.add(
            ItemContent(attributes: ["k": "v"]),
            StoredSecret(EncodedSecret.plain(Array("two".utf8), "/").value),
            to: "login"
        )
        #expect(try bench.search(["k": "v"], from: Self.chat).unlocked == [])
        #expect(
            try bench.property(
                "Locked",
                of: Self.login,
                SecretServiceBench.collectionName,
                from: Self.chat
            ).flag == true
        )
        #expect(throws: SecretServiceError(.isLocked, "")) {
            try bench.item(in: Self.login, from: Self.chat)
        }
        let (_, number) = try unlockLogin(&bench)
        bench.ended(number, isUnlocked: true)
        #expect(bench.announced.contains("Completed false [\(Self.login)]"))
        let found = try bench.search(["k": "v"], from: Self.chat).unlocked
        #expect(found == [ObjectPath.item(shared).text])
        #expect(try bench.secret(of: found[0], from: Self.chat) == "two")
        #expect(try bench.search(["k": "v"]).unlocked == [])
    }

    @Test func `see nothing of it where the person declines`() throws {
        var bench = apart()
        let (_, number) = try unlockLogin(&bench)
        bench.ended(number, isUnlocked: false)
        #expect(bench.announced == ["Completed true []"])
        #expect(throws: SecretServiceError(.isLocked, "")) {
            try bench.item(in: Self.login, from: Self.chat)
        }
    }

    @Test func `learn of changes in their own collections alone`() throws {
        var bench = apart()
        _ = try bench.session(from: Self.chat)
        _ = try bench.session(from: Self.otherMail)
        let item = try bench.item(["k": "v"], in: Self.alias)
        let created = bench.signals.filter { $0.member == "ItemCreated" }
        #expect(created.map(\.words) == [item, item])
        #expect(Set(created.map(\.receiver)) == [Self.mail, Self.otherMail])
        _ = bench.machine.forget(client: Self.otherMail)
        try bench.call(item, SecretServiceBench.itemName, "Delete")
        #expect(bench.signals.map(\.receiver) == [Self.mail])
    }

    @Test func `share everything where that is chosen`() throws {
        var bench = SecretServiceBench()
        let item = try bench.item(["k": "v"], "one", in: Self.alias)
        #expect(item.hasPrefix(Self.login))
        #expect(try bench.search(["k": "v"], from: Self.chat).unlocked == [item])
        #expect(try bench.secret(of: item, from: Self.chat) == "one")
    }

    @Test func `are bounded in number`() throws {
        var limits = ServiceLimits()
        limits.programs = 1
        var bench = SecretServiceBench(limits: limits)
        bench.programs = [Self.mail: "/usr/bin/mail", Self.chat: "/usr/bin/chat"]
        _ = try bench.session()
        #expect(throws: SecretServiceError(.limitsExceeded, "")) {
            try bench.session(from: Self.chat)
        }
        _ = bench.machine.forget(client: Self.mail)
        _ = try bench.session(from: Self.chat)
    }
}
