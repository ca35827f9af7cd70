import Foundation
import KeychainMigration
import SecretServiceClient
import SystemBus

/// The Secret Service of the session's message bus, such as gnome-keyring or KWallet.
///
/// Object paths identify items. If another program takes the service's place, every operation
/// fails, because its replies would be about other items.
///
/// `@unchecked Sendable`: every use of the connection holds the lock, and nothing else changes.
final class BusSecretService: SecretService, @unchecked Sendable {
    private let lock = NSLock()
    private let connection: SecretServiceConnection

    /// Connects to the bus, and to the program that offers the service.
    ///
    /// It refuses the keychain's own door. An original there is the keychain's item itself, so its
    /// deletion would lose the secret.
    init(_ kind: SystemBus.Kind = .session) throws(SourceFailure) {
        do throws(BusError) { connection = try SecretServiceConnection(kind) } catch {
            throw SourceFailure(
                .unreadable,
                error.name == nil
                    ? "secret-service: there is no session bus (DBUS_SESSION_BUS_ADDRESS)"
                    : "secret-service: no program offers org.freedesktop.secrets on this bus"
            )
        }
        guard !connection.isKeychain else {
            throw SourceFailure(
                .unreadable,
                "secret-service: the keychain answers on this bus, and holds all of its items; stop"
                    + " keychain-secret-service, and start the program that had them"
            )
        }
    }

    func listing() throws(SourceFailure) -> SecretServiceListing {
        try onBus(.unreadable, "its collections") { service throws(BusError) in
            var listing = SecretServiceListing()
            for path in try service.collections() {
                if try service.isLocked(path), try !service.unlock(path) {
                    let label = try service.label(of: path)
                    listing.lockedCollections.append(label.isEmpty ? path : label)
                    continue
                }
                for item in try service.items(of: path) {
                    guard let found = try service.item(at: item) else { continue }
                    listing.items.append(found)
                }
            }
            return listing
        }
    }

    func item(at path: String) throws(SourceFailure) -> SecretServiceItem? {
        try onBus(.unreadable, path) { service throws(BusError) in try service.item(at: path) }
    }

    func value(at path: String) throws(SourceFailure) -> SecretServiceValue {
        try onBus(.unreadable, path) { service throws(BusError) in
            do throws(BusError) {
                return try service.value(at: path)
            } catch {
                // Some services lock items one by one.
                guard error.isLocked, try service.unlock(path) else { throw error }
                return try service.value(at: path)
            }
        }
    }

    func delete(_ path: String) throws(SourceFailure) {
        try onBus(.undeletable, path) { service throws(BusError) in try service.delete(path) }
    }

    func create(
        _ item: SecretServiceItem,
        _ value: SecretServiceValue
    ) throws(SourceFailure) -> String {
        try onBus(.undeletable, item.collection) { service throws(BusError) in
            try service.create(item, value)
        }
    }

    func replace(
        _ path: String,
        with value: SecretServiceValue
    ) throws(SourceFailure) {
        try onBus(.undeletable, path) { service throws(BusError) in
            try service.replace(path, with: value)
        }
    }

    private static let replaced = SourceFailure(
        .changed,
        "secret-service: its program has ended or was replaced; run the command again"
    )

    /// Runs work with the program that was there first, never with another one.
    private func onBus<R>(
        _ reason: SourceFailure.Reason,
        _ place: String,
        _ body: (borrowing SecretServiceConnection) throws(BusError) -> R
    ) throws(SourceFailure) -> R {
        lock.lock()
        defer { lock.unlock() }
        guard connection.isOffered else { throw Self.replaced }
        do throws(BusError) { return try body(connection) } catch {
            guard connection.isOffered else { throw Self.replaced }
            let kind = error.isLocked ? SourceFailure.Reason.locked : reason
            throw SourceFailure(kind, "secret-service: \(place)")
        }
    }
}
