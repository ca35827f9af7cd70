import Foundation
import KeychainMigration
import SystemBus

/// The Secret Service of the session's message bus, such as gnome-keyring or KWallet.
///
/// Every item is named by its object path. Values cross the bus as they are (`plain`): whoever may
/// listen to the bus may ask the service for them, too.
///
/// `@unchecked Sendable`: every use of the connection holds the lock, and nothing else changes.
/// - Source: freedesktop.org, Secret Storage Specification 0.2, D-Bus API.
package final class BusSecretService: SecretService, @unchecked Sendable {
    private let lock = NSLock()
    private let bus: SystemBus
    /// Under which values are handed over.
    private let session: String

    /// Connects to the bus, and to the program that offers the service.
    package init() throws(SourceFailure) {
        do throws(BusError) {
            let bus = try SystemBus(.session)
            let reply = try bus.call(
                Self.service.method("OpenSession"),
                writing: { message throws(BusError) in
                    try message.text("plain")
                    try message.inside("v", "s") { () throws(BusError) in try message.text("") }
                },
                reading: { reply in
                    reply.inside("v", "s") { reply.text() }.flatMap { _ in reply.path() }
                }
            )
            guard let session = reply else { throw BusError(name: nil) }
            self.session = session
            self.bus = bus
        } catch {
            throw SourceFailure(
                .unreadable,
                error.name == nil
                    ? "secret-service: there is no session bus (DBUS_SESSION_BUS_ADDRESS)"
                    : "secret-service: no program offers org.freedesktop.secrets on this bus"
            )
        }
    }

    package func listing() throws(SourceFailure) -> SecretServiceListing {
        try onBus(.unreadable, "its collections") { bus throws(BusError) in
            var listing = SecretServiceListing()
            let collections = try bus.property("Collections", of: Self.service, "ao") { $0.paths() }
            for path in collections {
                let collection = Self.object(path, "Collection")
                let isLocked = try bus.property("Locked", of: collection, "b") { $0.flag() }
                if isLocked, try !bus.unlock(path) {
                    let label = try bus.property("Label", of: collection, "s") { $0.text() }
                    listing.lockedCollections.append(label.isEmpty ? path : label)
                    continue
                }
                for item in try bus.property("Items", of: collection, "ao", { $0.paths() }) {
                    guard let found = try bus.item(at: item) else { continue }
                    listing.items.append(found)
                }
            }
            return listing
        }
    }

    package func item(at path: String) throws(SourceFailure) -> SecretServiceItem? {
        try onBus(.unreadable, path) { bus throws(BusError) in try bus.item(at: path) }
    }

    package func value(at path: String) throws(SourceFailure) -> SecretServiceValue {
        try onBus(.unreadable, path) { bus throws(BusError) in
            do throws(BusError) {
                return try bus.value(at: path, session)
            } catch {
                // Some services lock items one by one.
                guard error.isLocked, try bus.unlock(path) else { throw error }
                return try bus.value(at: path, session)
            }
        }
    }

    package func delete(_ path: String) throws(SourceFailure) {
        try onBus(.undeletable, path) { bus throws(BusError) in
            let prompt = try bus.call(Self.object(path, "Item").method("Delete")) { $0.path() }
            if let prompt, prompt != "/" { _ = try bus.answer(prompt) }
            guard try bus.item(at: path) == nil else { throw BusError(name: nil) }
        }
    }

    package func create(
        _ item: SecretServiceItem,
        _ value: SecretServiceValue
    ) throws(SourceFailure) -> String {
        try onBus(.undeletable, item.collection) { bus throws(BusError) in
            let collection = Self.object(item.collection, "Collection")
            let reply = try bus.call(
                collection.method("CreateItem"),
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
    }

    package func replace(
        _ path: String,
        with value: SecretServiceValue
    ) throws(SourceFailure) {
        try onBus(.undeletable, path) { bus throws(BusError) in
            try bus.call(
                Self.object(path, "Item").method("SetSecret"),
                writing: { message throws(BusError) in try message.secret(value, session) },
                reading: { _ in }
            )
        }
    }

    private func onBus<R>(
        _ reason: SourceFailure.Reason,
        _ place: String,
        _ body: (borrowing SystemBus) throws(BusError) -> R
    ) throws(SourceFailure) -> R {
        lock.lock()
        defer { lock.unlock() }
        do throws(BusError) { return try body(bus) } catch {
            let kind = error.isLocked ? SourceFailure.Reason.locked : reason
            throw SourceFailure(kind, "secret-service: \(place)")
        }
    }

    private static let service = BusMethod(
        service: "org.freedesktop.secrets",
        path: "/org/freedesktop/secrets",
        interface: "org.freedesktop.Secret.Service"
    )

    fileprivate static func object(_ path: String, _ interface: String) -> BusMethod {
        BusMethod(
            service: service.service,
            path: path,
            interface: "org.freedesktop.Secret." + interface
        )
    }

    fileprivate static let unlock = service.method("Unlock")
}

extension BusError {
    /// Whether the object is locked.
    fileprivate var isLocked: Bool { name == "org.freedesktop.Secret.Error.IsLocked" }

    /// Whether the object is not there any more.
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
    /// Label and attributes, as `CreateItem` takes them.
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

    /// Session, parameters (none in a plain session), value and content type.
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

extension SystemBus {
    private static let properties = "org.freedesktop.DBus.Properties"

    /// A property of an object, of the type that is given.
    fileprivate borrowing func property<R>(
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
        let value = try call(get.method("Get"), [object.interface, name]) { reply in
            reply.inside("v", type) { body(reply) }
        }
        guard let value else { throw BusError(name: nil) }
        return value
    }

    /// nil for an item that is not there.
    fileprivate borrowing func item(at path: String) throws(BusError) -> SecretServiceItem? {
        let item = BusSecretService.object(path, "Item")
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

    fileprivate borrowing func value(
        at path: String,
        _ session: String
    ) throws(BusError) -> SecretServiceValue {
        let item = BusSecretService.object(path, "Item")
        let value = try call(
            item.method("GetSecret"),
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

    /// Opens a collection or item; a person may have to agree.
    fileprivate borrowing func unlock(_ path: String) throws(BusError) -> Bool {
        let reply = try call(
            BusSecretService.unlock,
            writing: { message throws(BusError) in
                try message.inside("a", "o") { () throws(BusError) in try message.path(path) }
            },
            reading: { reply in reply.paths().flatMap { paths in reply.path().map { (paths, $0) } }
            }
        )
        guard let (unlocked, prompt) = reply else { throw BusError(name: nil) }
        return prompt == "/" ? unlocked.contains(path) : try answer(prompt)
    }

    /// How long a person may take to answer the service's dialog.
    private static let patience = Duration.seconds(120)

    /// Has the service ask the person, and waits for the answer.
    ///
    /// - Returns: Whether they agreed.
    fileprivate borrowing func answer(_ prompt: String) throws(BusError) -> Bool {
        let object = BusSecretService.object(prompt, "Prompt")
        try listen(to: object)
        try call(object.method("Prompt"), [""]) { _ in }
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while clock.now < end {
            let progress = try next { message -> Bool? in
                guard message.member == "Completed", message.origin == prompt else { return nil }
                return message.flag()
            }
            switch progress {
            case .value(let isDismissed): return !isDismissed
            case .worked: continue
            case .idle: try wait(atMost: clock.now.duration(to: end))
            }
        }
        return false
    }
}
