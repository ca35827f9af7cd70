import SecretServiceProtocol
import TestSupport
import Testing

@Suite(.requirement("SSV-01")) struct `A prompt` {
    private static let service = SecretServiceBench.service
    private static let login = SecretServiceBench.login

    /// A locked bench with a prompt that unlocks the default collection.
    private func locked() throws -> (bench: SecretServiceBench, prompt: String) {
        var bench = SecretServiceBench()
        _ = try bench.store.lock()
        let reply = try bench.call(
            Self.service,
            SecretServiceBench.serviceName,
            "Unlock",
            [.paths([Self.login, SecretServiceBench.memory, "/no/object"])]
        )
        #expect(reply[0].paths == [SecretServiceBench.memory])
        return (bench, reply[1].path)
    }

    private func number(_ path: String) -> UInt64 {
        path.split(separator: "/").last.flatMap { UInt64($0) } ?? 0
    }

    @Test func `is not made if nothing is locked`() throws {
        var bench = SecretServiceBench()
        let reply = try bench.call(
            Self.service,
            SecretServiceBench.serviceName,
            "Unlock",
            [.paths([Self.login])]
        )
        #expect(reply[0].paths == [Self.login] && reply[1].path == ObjectPath.none)
    }

    @Test func `tells its client alone what was unlocked`() throws {
        var (bench, path) = try locked()
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")])
        #expect(bench.work == [.show(number(path), client: SecretServiceBench.client)])
        bench.ended(number(path), isUnlocked: true)
        let completed = bench.signals.filter { $0.member == "Completed" }
        #expect(completed.map(\.words) == ["false [\(Self.login)]"])
        #expect(completed.first?.receiver == SecretServiceBench.client)
        #expect(bench.changedProperties == ["Locked"])
        #expect(throws: SecretServiceError(.noSuchObject, "")) {
            try bench.call(path, InterfaceTable.promptName, "Dismiss")
        }
    }

    @Test func `is dismissed if nobody unlocks`() throws {
        var (bench, path) = try locked()
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")])
        bench.ended(number(path), isUnlocked: false)
        #expect(bench.announced == ["Completed true []"])
    }

    @Test func `is taken away when its client dismisses it`() throws {
        var (bench, path) = try locked()
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")])
        try bench.call(path, InterfaceTable.promptName, "Dismiss")
        #expect(bench.work == [.dismiss(number(path))])
        #expect(bench.announced == ["Completed true []"])
        bench.ended(number(path), isUnlocked: true)
        #expect(!bench.signals.contains { $0.member == "Completed" })
    }

    @Test func `is taken away when its client leaves the bus`() throws {
        var (bench, path) = try locked()
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")])
        let work = bench.machine.forget(client: SecretServiceBench.client)
        #expect(work == [.dismiss(number(path))])
        #expect(!bench.machine.isInUse)
    }

    @Test func `is shown once`() throws {
        var (bench, path) = try locked()
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")])
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")])
        #expect(bench.work.isEmpty)
    }

    @Test func `ends at once if the keychain is unlocked meanwhile`() throws {
        var (bench, path) = try locked()
        bench.store.unlock()
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")])
        #expect(bench.work.isEmpty)
        #expect(bench.announced.last == "Completed false [\(Self.login)]")
    }

    @Test func `belongs to its client`() throws {
        var (bench, path) = try locked()
        #expect(throws: SecretServiceError(.noSuchObject, "")) {
            try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")], from: ":1.8")
        }
    }

    @Test func `makes a collection once the keychain is unlocked`() throws {
        var bench = SecretServiceBench()
        _ = try bench.store.lock()
        let properties: [String: BusValue] = [
            SecretServiceBench.collectionName + ".Label": .text("Work")
        ]
        let reply = try bench.call(
            Self.service,
            SecretServiceBench.serviceName,
            "CreateCollection",
            [.properties(properties), .text("")]
        )
        #expect(reply[0].path == ObjectPath.none)
        let path = reply[1].path
        try bench.call(path, InterfaceTable.promptName, "Prompt", [.text("")])
        bench.ended(number(path), isUnlocked: true)
        let made = Self.service + "/collection/work"
        #expect(bench.announced.contains("CollectionCreated \(made)"))
        #expect(bench.announced.last == "Completed false \(made)")
    }

    @Test func `is one of at most 8 of its client and 64 of all`() throws {
        var bench = SecretServiceBench()
        _ = try bench.store.lock()
        let unlock: [BusValue] = [.paths([Self.login])]
        let name = SecretServiceBench.serviceName
        let prompts = try (0..<64).map { number in
            try bench.call(Self.service, name, "Unlock", unlock, from: ":3.\(number / 8)")[1].path
        }
        #expect(Set(prompts).count == 64)
        try bench.call(prompts[0], InterfaceTable.promptName, "Dismiss", from: ":3.0")
        #expect(throws: SecretServiceError(.limitsExceeded, "")) {
            try bench.call(Self.service, name, "Unlock", unlock, from: ":3.1")
        }
        #expect(throws: Never.self) {
            try bench.call(Self.service, name, "Unlock", unlock, from: ":3.9")
        }
        #expect(throws: SecretServiceError(.limitsExceeded, "")) {
            try bench.call(Self.service, name, "Unlock", unlock, from: ":3.10")
        }
    }
}

@Suite struct `A limit` {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let attributes: [String: String]
        let label: String
        let byteCount: Int
        let kind: SecretServiceError.Kind

        init(
            _ name: String,
            _ attributes: [String: String] = [:],
            label: String = "",
            byteCount: Int = 1,
            _ kind: SecretServiceError.Kind = .limitsExceeded
        ) {
            testDescription = name
            self.attributes = attributes
            self.label = label
            self.byteCount = byteCount
            self.kind = kind
        }

        static let all: [Case] = [
            .init(
                "501 attributes",
                Dictionary(uniqueKeysWithValues: (0..<501).map { ("\($0)", "") })
            ),
            .init("65,001 bytes of attributes", ["a": String(repeating: "b", count: 64_996)]),
            .init("16,385 bytes of a label", label: String(repeating: "b", count: 16_385)),
            .init("more than a mebibyte", byteCount: (1 << 20) + 1),
            .init("an attribute without a name", ["": "x"], .invalidArguments),
            .init("a reserved attribute", ["keychain:collection": "x"], .invalidArguments),
        ]
    }

    @Test(arguments: Case.all)
    func `refuses an item beyond it`(row: Case) throws {
        var bench = SecretServiceBench()
        let secret = String(repeating: "s", count: row.byteCount)
        #expect(throws: SecretServiceError(row.kind, "")) {
            try bench.item(row.attributes, secret, label: row.label)
        }
        #expect(try bench.search([:]).unlocked.isEmpty)
    }

    @Test func `admits an item at it`() throws {
        var bench = SecretServiceBench()
        let attributes = ["a": String(repeating: "b", count: 7_995)]
        let secret = String(repeating: "s", count: 1 << 20)
        let item = try bench.item(attributes, secret, label: String(repeating: "l", count: 16_384))
        #expect(try bench.secret(of: item).count == 1 << 20)
    }

    @Test func `refuses paths beyond it`() throws {
        var bench = SecretServiceBench()
        let paths = [String](repeating: "/", count: 16_385)
        #expect(throws: SecretServiceError(.limitsExceeded, "")) {
            try bench.call(
                SecretServiceBench.service,
                SecretServiceBench.serviceName,
                "Unlock",
                [.paths(paths)]
            )
        }
    }
}
