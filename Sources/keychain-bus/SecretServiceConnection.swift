import Foundation
import KeychainHost
import KeychainMigration
import SecretServiceClient
import SystemBus

// Invariants   (1) Every call goes to the program that opened the session, by its unique name on
//                  the bus. A program that takes its place knows none of its objects, and would
//                  report every item as missing.

/// A session with the program that offers the Secret Service.
///
/// Values cross the bus unencrypted (`plain`): a program that may monitor the bus may also request
/// them from the service.
/// - Source: freedesktop.org, Secret Storage Specification 0.2, D-Bus API.
struct SecretServiceConnection: ~Copyable {
    private let bus: SystemBus
    /// The path of the session for values.
    private let session: String
    /// The program's unique name on the bus.
    private let owner: String

    private static let properties = "org.freedesktop.DBus.Properties"
    /// The time limit for the user's answer to the service's dialog.
    private static let patience = Duration.seconds(120)

    /// Connects to the bus, and to the program that offers the service, which the bus may start.
    init(_ kind: SystemBus.Kind = .session) throws(BusError) {
        let bus = try SystemBus(kind)
        let reply = try bus.call(
            Self.service(of: Self.serviceName).method("OpenSession"),
            writing: { message throws(BusError) in
                try message.text("plain")
                try message.inside("v", "s") { () throws(BusError) in try message.text("") }
            },
            reading: { reply in
                let sender = reply.sender
                return reply.inside("v", "s") { reply.text() }
                    .flatMap { _ in reply.path() }
                    .flatMap { path in sender.map { (owner: $0, session: path) } }
            }
        )
        guard let reply else { throw BusError(name: nil) }
        self.bus = bus
        owner = reply.owner
        session = reply.session
    }

    private static let serviceName = "org.freedesktop.secrets"
    private static let daemon = BusMethod(
        service: "org.freedesktop.DBus",
        path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus"
    )

    /// Whether the program still offers the service.
    var isOffered: Bool {
        let ask = Self.daemon.method("GetNameOwner")
        let found = try? bus.call(ask, [Self.serviceName]) { $0.text() }
        return found == owner
    }

    /// Whether the program is the keychain's own door, whose items are in the keychain already.
    var isKeychain: Bool {
        let ask = Self.daemon.method("GetConnectionUnixProcessID")
        let number = try? bus.call(ask, [owner]) { $0.number() }
        return number.flatMap { Int32(exactly: $0) }.flatMap(DoorExamination.program)
            .map(Door.secretService.isServed) ?? false
    }

    private static func service(of owner: String) -> BusMethod {
        BusMethod(
            service: owner,
            path: "/org/freedesktop/secrets",
            interface: "org.freedesktop.Secret.Service"
        )
    }

    private var service: BusMethod { Self.service(of: owner) }

    private func object(_ path: String, _ interface: String) -> BusMethod {
        BusMethod(
            service: owner,
            path: path,
            interface: "org.freedesktop.Secret." + interface
        )
    }
}

// The contents of the service.
extension SecretServiceConnection {
    func collections() throws(BusError) -> [String] {
        try property("Collections", of: service, "ao") { $0.paths() }
    }

    func items(of collection: String) throws(BusError) -> [String] {
        try property("Items", of: object(collection, "Collection"), "ao") { $0.paths() }
    }

    func isLocked(_ collection: String) throws(BusError) -> Bool {
        try property("Locked", of: object(collection, "Collection"), "b") { $0.flag() }
    }

    func label(of collection: String) throws(BusError) -> String {
        try property("Label", of: object(collection, "Collection"), "s") { $0.text() }
    }

    /// Returns an item; nil if there is none.
    func item(at path: String) throws(BusError) -> SecretServiceItem? {
        let item = object(path, "Item")
        do throws(BusError) {
            return SecretServiceItem(
                path: path,
                collection: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]),
                label: try property("Label", of: item, "s") { $0.text() },
                attributes: try property("Attributes", of: item, "a{ss}") { $0.dictionary() }
            )
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    func value(at path: String) throws(BusError) -> SecretServiceValue {
        let value = try bus.call(
            object(path, "Item").method("GetSecret"),
            writing: { message throws(BusError) in try message.path(session) },
            reading: { reply in
                reply.inside("r", "oayays") { () -> SecretServiceValue? in
                    guard reply.path() != nil, reply.bytes({ _ in true }) != nil,
                        let secret = reply.bytes({ SecretBytes(Data($0)) }),
                        let type = reply.text()
                    else { return nil }
                    return SecretServiceValue(secret, contentType: type)
                }
            }
        )
        guard let value else { throw BusError(name: nil) }
        return value
    }

    /// Returns a property of an object, which must have the given type.
    private func property<R>(
        _ name: String,
        of object: BusMethod,
        _ type: String,
        _ body: (BusMessage) -> R?
    ) throws(BusError) -> R {
        let get = BusMethod(
            service: object.service,
            path: object.path,
            interface: Self.properties
        )
        let value = try bus.call(get.method("Get"), [object.interface, name]) { reply in
            reply.inside("v", type) { body(reply) }
        }
        guard let value else { throw BusError(name: nil) }
        return value
    }
}

// Changes of the contents.
extension SecretServiceConnection {
    /// Deletes an item, and verifies that it is gone.
    func delete(_ path: String) throws(BusError) {
        let prompt = try bus.call(object(path, "Item").method("Delete")) { $0.path() }
        if let prompt, prompt != "/" { _ = try answer(prompt) }
        guard try item(at: path) == nil else { throw BusError(name: nil) }
    }

    func create(
        _ item: SecretServiceItem,
        _ value: SecretServiceValue
    ) throws(BusError) -> String {
        let reply = try bus.call(
            object(item.collection, "Collection").method("CreateItem"),
            writing: { message throws(BusError) in
                try message.properties(of: item)
                try message.secret(value, session)
                try message.flag(false)
            },
            reading: { reply in reply.path().map { ($0, reply.path() ?? "/") } }
        )
        guard let (path, prompt) = reply, prompt == "/" else { throw BusError(name: nil) }
        return path
    }

    func replace(_ path: String, with value: SecretServiceValue) throws(BusError) {
        try bus.call(
            object(path, "Item").method("SetSecret"),
            writing: { message throws(BusError) in try message.secret(value, session) },
            reading: { _ in }
        )
    }

    /// Opens a collection or item; the user may have to agree.
    func unlock(_ path: String) throws(BusError) -> Bool {
        let reply = try bus.call(
            service.method("Unlock"),
            writing: { message throws(BusError) in
                try message.inside("a", "o") { () throws(BusError) in try message.path(path) }
            },
            reading: { reply in reply.paths().flatMap { paths in reply.path().map { (paths, $0) } }
            }
        )
        guard let (unlocked, prompt) = reply else { throw BusError(name: nil) }
        return prompt == "/" ? unlocked.contains(path) : try answer(prompt)
    }

    /// Makes the service prompt the user, and waits for the answer.
    ///
    /// - Returns: Whether the user agreed.
    private func answer(_ prompt: String) throws(BusError) -> Bool {
        let object = object(prompt, "Prompt")
        try bus.listen(to: object)
        try bus.call(object.method("Prompt"), [""]) { _ in }
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while clock.now < end {
            let progress = try bus.next { message -> Bool? in
                guard message.member == "Completed", message.origin == prompt else { return nil }
                return message.flag()
            }
            switch progress {
            case .value(let isDismissed): return !isDismissed
            case .worked: continue
            case .idle: try bus.wait(atMost: clock.now.duration(to: end))
            }
        }
        return false
    }
}

extension BusError {
    /// Whether the object is locked.
    var isLocked: Bool { name == "org.freedesktop.Secret.Error.IsLocked" }

    /// Whether the object no longer exists.
    fileprivate var isMissing: Bool {
        switch name {
        case "org.freedesktop.DBus.Error.UnknownMethod",
            "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownInterface",
            "org.freedesktop.Secret.Error.NoSuchObject":
            true
        default: false
        }
    }
}

extension BusArguments {
    /// Writes label and attributes in the form of `CreateItem`.
    fileprivate func properties(of item: SecretServiceItem) throws(BusError) {
        try inside("a", "{sv}") { () throws(BusError) in
            try entry("Label", "s") { () throws(BusError) in try text(item.label) }
            try entry("Attributes", "a{ss}") { () throws(BusError) in
                try inside("a", "{ss}") { () throws(BusError) in
                    for (name, value) in item.attributes {
                        try inside("e", "ss") { () throws(BusError) in
                            try text(name)
                            try text(value)
                        }
                    }
                }
            }
        }
    }

    private func entry(
        _ name: String,
        _ contents: String,
        _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        try inside("e", "sv") { () throws(BusError) in
            try text("org.freedesktop.Secret.Item." + name)
            try inside("v", contents, body)
        }
    }

    /// Writes the session, the parameters (empty in a plain session), the value and the content
    /// type.
    fileprivate func secret(
        _ value: SecretServiceValue,
        _ session: String
    ) throws(BusError) {
        try inside("r", "oayays") { () throws(BusError) in
            try path(session)
            try bytes([])
            try bytes([UInt8](value.secret.copyBytesUnprotected()))
            try text(value.contentType)
        }
    }
}
