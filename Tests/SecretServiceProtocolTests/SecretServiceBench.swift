import Cryptography
import SecretServiceProtocol
import Secrets

/// Bytes in hexadecimal digits; other characters are skipped.
struct HexText: Sendable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    init(_ text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
            UInt8(digits[index] << 4 | digits[index + 1])
        }
    }

    init(stringLiteral text: String) { self.init(text) }
}

/// A Secret Service over memory, with a clock that moves on with each item.
struct SecretServiceBench {
    static let service = "/org/freedesktop/secrets"
    static let login = service + "/collection/login"
    static let memory = service + "/collection/session"
    static let serviceName = InterfaceTable.serviceName
    static let collectionName = InterfaceTable.collectionName
    static let itemName = InterfaceTable.itemName
    static let client = ":1.7"

    var machine: SecretServiceMachine
    let store: MemoryItemStore
    /// The path of each client's program; nil where programs share.
    var programs: [String: String]?
    private(set) var signals: [BusSignal] = []
    private(set) var work: [PromptWork] = []

    init(hasPasscode: Bool = true, limits: ServiceLimits = ServiceLimits(), seed: UInt64 = 1) {
        let clock = AdaptiveMutex<UInt64>(1_700_000_000)
        let now: @Sendable () -> UInt64 = {
            clock.withLock { time in
                time += 1
                return time
            }
        }
        store = MemoryItemStore(hasPasscode: hasPasscode, now: now)
        machine = SecretServiceMachine(
            store: store,
            memory: MemoryItemStore([.session], now: now),
            random: SeededRandomSource(seed: seed),
            limits: limits
        )
    }

    /// Makes a call; signals and work since the last call are those of this one.
    @discardableResult
    mutating func call(
        _ path: String,
        _ interface: String?,
        _ member: String,
        _ arguments: [BusValue] = [],
        from sender: String = client
    ) throws(SecretServiceError) -> [BusValue] {
        let response = machine.handle(
            BusCall(
                sender: sender,
                program: programs?[sender],
                path: path,
                interface: interface,
                member: member,
                arguments: arguments
            )
        )
        signals = response.signals
        work = response.work
        return try response.result.get()
    }

    mutating func ended(_ prompt: UInt64, isUnlocked: Bool) {
        if isUnlocked { store.unlock() }
        signals = machine.promptEnded(prompt, isUnlocked: isUnlocked)
    }

    /// Opens a plain session; returns its path.
    mutating func session(from sender: String = client) throws(SecretServiceError) -> String {
        let arguments: [BusValue] = [.text("plain"), .variant(.text(""))]
        let service = Self.service
        return try call(service, Self.serviceName, "OpenSession", arguments, from: sender)[1].path
    }

    /// Stores an item; returns its path.
    @discardableResult
    mutating func item(
        _ attributes: [String: String] = [:],
        _ secret: String = "secret",
        label: String = "An item",
        in collection: String = login,
        replace: Bool = false,
        from sender: String = client
    ) throws(SecretServiceError) -> String {
        let session = try session(from: sender)
        let properties: [String: BusValue] = [
            Self.itemName + ".Label": .text(label),
            Self.itemName + ".Attributes": .attributes(attributes),
        ]
        let arguments: [BusValue] = [
            .properties(properties), .secret(.plain(Array(secret.utf8), session)), .flag(replace),
        ]
        return try call(
            collection,
            Self.collectionName,
            "CreateItem",
            arguments,
            from: sender
        )[0].path
    }

    /// The value of an item, through a plain session.
    mutating func secret(
        of item: String,
        from sender: String = client
    ) throws(SecretServiceError) -> String {
        let session = try session(from: sender)
        let result = try call(item, Self.itemName, "GetSecret", [.path(session)], from: sender)
        guard case .secret(let secret)? = result.first else { return "no secret" }
        return String(decoding: secret.value.secret.copyBytesUnprotected(), as: UTF8.self)
    }

    mutating func property(
        _ name: String,
        of path: String,
        _ interface: String,
        from sender: String = client
    ) throws(SecretServiceError) -> BusValue {
        let arguments: [BusValue] = [.text(interface), .text(name)]
        let result = try call(
            path,
            InterfaceTable.propertiesName,
            "Get",
            arguments,
            from: sender
        )
        guard case .variant(let value)? = result.first else {
            throw SecretServiceError(.failed, "no variant")
        }
        return value
    }

    /// The unlocked and the locked items that the service finds.
    mutating func search(
        _ attributes: [String: String],
        from sender: String = client
    ) throws(SecretServiceError) -> (unlocked: [String], locked: [String]) {
        let arguments: [BusValue] = [.attributes(attributes)]
        let result = try call(
            Self.service,
            Self.serviceName,
            "SearchItems",
            arguments,
            from: sender
        )
        return (result[0].paths, result[1].paths)
    }

    /// Signals by path and member, without those of properties.
    var announced: [String] {
        signals.filter { $0.member != "PropertiesChanged" }.map { "\($0.member) \($0.words)" }
    }

    /// The names of the properties that were told to have changed.
    var changedProperties: [String] {
        signals.filter { $0.member == "PropertiesChanged" }.flatMap { signal -> [String] in
            guard case .properties(let values) = signal.arguments[1] else { return [] }
            return values.keys.sorted()
        }
    }
}

extension BusSignal {
    /// The paths and truth values among the arguments.
    var words: String { arguments.map(\.words).joined(separator: " ") }
}

extension EncodedSecret {
    static func plain(
        _ bytes: [UInt8],
        _ session: String,
        parameters: [UInt8] = [],
        contentType: String = "text/plain"
    ) -> EncodedSecret {
        EncodedSecret(
            session: session,
            parameters: SharedSecret(Secret(copying: parameters)),
            value: SharedSecret(Secret(copying: bytes)),
            contentType: contentType
        )
    }
}

extension BusValue {
    var path: String { if case .path(let path) = self { path } else { "not a path" } }
    var paths: [String] { if case .paths(let paths) = self { paths } else { ["not paths"] } }
    var text: String { if case .text(let text) = self { text } else { "not a text" } }
    var time: UInt64 { if case .time(let time) = self { time } else { 0 } }
    /// Of bytes, also in a variant.
    var bytes: [UInt8] {
        switch self {
        case .bytes(let bytes): bytes.secret.copyBytesUnprotected()
        case .variant(let value): value.bytes
        default: []
        }
    }
    var encodedSecret: EncodedSecret? { if case .secret(let secret) = self { secret } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var attributes: [String: String] {
        if case .attributes(let attributes) = self { attributes } else { ["not": "attributes"] }
    }

    var words: String {
        switch self {
        case .path(let path): path
        case .paths(let paths): "[\(paths.joined(separator: " "))]"
        case .flag(let flag): "\(flag)"
        case .text(let text): text
        case .variant(let value): value.words
        default: signature
        }
    }
}
