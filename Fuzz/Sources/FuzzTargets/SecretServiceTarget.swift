import Cryptography
import SecretServiceProtocol
import Secrets

extension FuzzTarget {
    /// Calls of three clients of the Secret Service, one behind the other, over items in memory.
    ///
    /// A reply has the types of the method's row, no client gets another one's `Completed`, and
    /// whatever a client held is gone when it leaves.
    static let secretService = FuzzTarget(name: "secret-service") { bytes throws(BrokenLaw) in
        var script = CallScript(InputReader(bytes))
        var machine = SecretServiceMachine(
            store: MemoryItemStore(hasPasscode: true, now: { 1 }),
            memory: MemoryItemStore([.session], now: { 1 }),
            random: SeededRandomSource(seed: 1)
        )
        var verdict = Verdict.refused
        for _ in 0..<64 where !script.isAtEnd {
            let call = script.call()
            let response = machine.handle(call)
            guard case .success(let results) = response.result else { continue }
            verdict = .accepted
            let rows = InterfaceTable.rows.flatMap(\.methods).filter { $0.name == call.member }
            let types = results.map(\.signature).joined()
            try require(
                rows.contains { $0.outputSignature == types },
                "a reply has the types of its row, not \(types)"
            )
            for signal in response.signals where signal.member == "Completed" {
                try require(signal.receiver == call.sender, "a prompt's end is its client's")
            }
            script.remember(results)
        }
        for client in CallScript.clients { _ = machine.forget(client: client) }
        try require(!machine.isInUse, "a client that leaves the bus holds nothing")
        return verdict
    }
}

/// Reads calls from an input; paths of earlier replies come back.
private struct CallScript {
    static let clients = [":1.1", ":1.2", ":1.3"]
    private static let methods = InterfaceTable.rows.flatMap { row in
        row.methods.map { (interface: row.name, method: $0) }
    }
    private static let words = [
        "", "default", "session", "login", "plain", SecretSession.encryptedAlgorithm, "Label",
        "Attributes", "Items", InterfaceTable.itemName, InterfaceTable.collectionName, "é\u{0}",
    ]

    private var input: InputReader
    private var paths = [
        ObjectPath.root, ObjectPath.root + "/collection/login", "/",
        ObjectPath.root + "/collection/session", ObjectPath.root + "/aliases/default",
    ]

    init(_ input: InputReader) { self.input = input }

    var isAtEnd: Bool { input.isAtEnd }

    mutating func call() -> BusCall {
        let client = Self.clients[Int(input.byte()) % Self.clients.count]
        let (interface, method) = Self.methods[Int(input.byte()) % Self.methods.count]
        let isOdd = input.byte() > 240
        return BusCall(
            sender: client,
            path: path(),
            interface: isOdd ? nil : interface,
            member: method.name,
            arguments: method.inputs.map { value(isOdd ? "v" : $0.type) }
        )
    }

    mutating func remember(_ results: [BusValue]) {
        for result in results {
            switch result {
            case .path(let path): paths.append(path)
            case .paths(let found): paths += found.prefix(8)
            default: continue
            }
        }
        if paths.count > 64 { paths.removeSubrange(5..<(paths.count - 59)) }
    }

    private mutating func path() -> String {
        let choice = Int(input.byte())
        guard choice == 255 else { return paths[choice % paths.count] }
        return ObjectPath.root + "/" + text()
    }

    private mutating func text() -> String {
        let choice = Int(input.byte())
        guard choice > 200 else { return Self.words[choice % Self.words.count] }
        return String(decoding: input.bytes(atMost: choice - 200), as: UTF8.self)
    }

    private mutating func secretBytes() -> SharedSecret {
        SharedSecret(Secret(copying: input.bytes(atMost: Int(input.byte()))))
    }

    private mutating func value(_ type: String) -> BusValue {
        switch type {
        case "s": return .text(text())
        case "o": return .path(path())
        case "b": return .flag(input.byte() > 127)
        case "ao": return .paths((0..<(input.byte() % 4)).map { _ in path() })
        case "a{ss}": return .attributes(attributes())
        case "a{sv}":
            let label = text()
            return .properties([
                InterfaceTable.itemName + ".Label": .text(label),
                InterfaceTable.collectionName + ".Label": .text(label),
                InterfaceTable.itemName + ".Attributes": .attributes(attributes()),
            ])
        case "(oayays)":
            return .secret(
                EncodedSecret(
                    session: path(),
                    parameters: secretBytes(),
                    value: secretBytes(),
                    contentType: text()
                )
            )
        default:
            let kinds = ["s", "ay", "b", "a{ss}", "x"]
            let kind = kinds[Int(input.byte()) % kinds.count]
            if kind == "ay" { return .variant(.bytes(secretBytes())) }
            return kind == "x" ? .other(signature: "x") : .variant(value(kind))
        }
    }

    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        for _ in 0..<(input.byte() % 4) { attributes[text()] = text() }
        return attributes
    }
}
