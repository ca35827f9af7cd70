import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import SyncRelay

/// The operations of a keychain that synchronization needs.
///
/// There are two implementations: a keychain behind an endpoint, and the one of the simulation.
package protocol SyncedKeychain: Sendable {
    /// Returns a number that changes with every write of an item.
    func mark() throws(SyncFailure) -> UInt64

    /// Returns whether the keychain is locked, so that its items do not open.
    func isLocked() throws(SyncFailure) -> Bool

    /// Returns all items and tombstones that the device exchanges, without their content.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked.
    func scan() throws(SyncFailure) -> KeychainScan

    /// Returns the items with these names; the result leaves out items that no longer exist.
    func contents(of items: [ItemName]) throws(SyncFailure) -> [ItemName: SyncedItem]

    /// Returns whether a conforming keychain could have written these changes.
    func verify(_ changes: [ItemChange]) throws(SyncFailure) -> Bool

    /// Stores items and records in one transaction.
    ///
    /// - Returns: The outcome; nil if the keychain now has another version of an item than the one
    ///   to replace. Then nothing is stored.
    func apply(
        _ items: [SyncedItem],
        keeping records: [SyncRecord]
    ) throws(SyncFailure) -> SyncOutcome?

    /// Returns all records whose keys begin with a prefix.
    func records(_ prefix: [UInt8]) throws(SyncFailure) -> [SyncRecord]

    /// Removes all records.
    func forget() throws(SyncFailure)

    /// The item classes that this device exchanges, which depend on the version of the system.
    var exchangedClasses: [String] { get }

    /// Returns the device's signing and agreement keys; nil if it has none.
    func signer() throws(SyncFailure) -> (any PeerSigner)?

    /// Makes new keys for the device, and deletes the earlier ones.
    func makeSigner() throws(SyncFailure) -> any PeerSigner

    /// Deletes the device's keys, if it has any.
    func removeSigner() throws(SyncFailure)

    /// Makes a new key for the records, and the record that stores this key.
    func makeSeal(_ random: any RandomSource) throws(SyncFailure) -> (RecordSeal, SyncRecord)

    /// Opens the key for the records from the record that stores it.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked.
    func openSeal(
        _ record: [UInt8],
        _ random: any RandomSource
    ) throws(SyncFailure) -> RecordSeal
}

/// A keychain behind an endpoint, whose keys are in its secure element.
struct EndpointKeychain: SyncedKeychain {
    let endpoint: any Endpoint

    func signer() throws(SyncFailure) -> (any PeerSigner)? { try ElementSigner(in: endpoint) }

    func makeSigner() throws(SyncFailure) -> any PeerSigner { try ElementSigner.make(in: endpoint) }

    func removeSigner() throws(SyncFailure) { try ElementSigner.remove(from: endpoint) }

    func makeSeal(
        _ random: any RandomSource
    ) throws(SyncFailure) -> (RecordSeal, SyncRecord) {
        try RecordSeal.make(in: endpoint, random)
    }

    func openSeal(
        _ record: [UInt8],
        _ random: any RandomSource
    ) throws(SyncFailure) -> RecordSeal {
        try RecordSeal.open(record, in: endpoint, random)
    }

    func mark() throws(SyncFailure) -> UInt64 {
        try fromKeychain(try endpoint.synchronizationMark())
    }

    // Reading past the last row does not count as use, so it does not postpone the automatic lock.
    func isLocked() throws(SyncFailure) -> Bool {
        guard let last = ItemClass.stored.last else { return false }
        let end = SyncCursor(last, row: .max)
        do throws(KeychainError) {
            _ = try endpoint.send(.read(after: end, withContent: false))
            return false
        } catch {
            guard error.status == .interactionNotAllowed else { throw .keychain(error) }
            return true
        }
    }

    /// Returns all items and tombstones that the device exchanges, without their content.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked.
    func scan() throws(SyncFailure) -> KeychainScan {
        var scan = KeychainScan(mark: try mark())
        do throws(KeychainError) {
            scan.damagedCount = try endpoint.readSynchronized(withContent: false) { items in
                scan.items += items.map(LocalItem.init)
            }
        } catch { throw .keychain(error) }
        return scan
    }

    /// Returns the items with these names; the result leaves out items that no longer exist.
    func contents(of items: [ItemName]) throws(SyncFailure) -> [ItemName: SyncedItem] {
        let found = try fromKeychain(try endpoint.synchronizedItems(named: items.map(\.bytes)))
        return Dictionary(
            found.map { (ItemName(unchecked: $0.name), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns whether a conforming keychain could have written these changes.
    func verify(_ changes: [ItemChange]) throws(SyncFailure) -> Bool {
        let items = changes.compactMap { SyncedItem($0, replacing: nil) }
        guard items.count == changes.count else { return false }
        for part in items.portions {
            do throws(KeychainError) { _ = try endpoint.send(.verify(part)) } catch {
                guard error.status == .decode else { throw .keychain(error) }
                return false
            }
        }
        return true
    }

    /// Stores items and records in one transaction.
    ///
    /// - Returns: The outcome; nil if the keychain now has another version of an item than the one
    ///   to replace. Then nothing is stored.
    func apply(
        _ items: [SyncedItem],
        keeping records: [SyncRecord]
    ) throws(SyncFailure) -> SyncOutcome? {
        switch try fromKeychain(try endpoint.send(.apply(items, keeping: records))) {
        case .applied(let outcome): return outcome
        case .conflict: return nil
        default: throw .keychain(.unexpectedReply)
        }
    }

    /// Returns all records whose keys begin with a prefix.
    func records(_ prefix: [UInt8]) throws(SyncFailure) -> [SyncRecord] {
        try fromKeychain(try endpoint.synchronizationRecords(prefix: prefix))
    }

    /// Removes all records.
    func forget() throws(SyncFailure) { _ = try fromKeychain(try endpoint.send(.forget)) }

    /// The item classes that this device exchanges, which depend on the version of the system.
    var exchangedClasses: [String] {
        ItemClass.stored.filter { endpoint.profiles.system.exchanges($0) }.map(\.rawValue)
    }
}

/// The synchronizable content of a keychain at one moment.
package struct KeychainScan: Sendable {
    /// Seconds from 1970 to 2001.
    static let epochOffset: Double = 978_307_200

    /// The keychain's mark before the first item was read.
    let mark: UInt64
    var items: [LocalItem] = []
    /// The number of rows that do not open; a missing item may be one of them.
    var damagedCount = 0

    package init(mark: UInt64, items: [LocalItem] = []) {
        self.mark = mark
        self.items = items
    }
}

extension LocalItem {
    package init(_ item: SyncedItem) {
        let milliseconds = ((item.modified + KeychainScan.epochOffset) * 1000).rounded()
        let modified =
            milliseconds.isNaN
            ? 0 : Int64(max(-9e15, min(9e15, milliseconds)))
        self.init(
            item: ItemName(unchecked: item.name),
            digest: SyncDigest(unchecked: item.digest),
            isTombstone: item.isTombstone,
            modified: modified
        )
    }
}

extension SyncedItem {
    /// Converts a change for the keychain; nil if the class or protection class is unknown.
    init?(_ change: ItemChange, replacing replaced: SyncDigest?) {
        guard let itemClass = ItemClass(rawValue: change.content.classLetters),
            let protection = ProtectionClass(rawValue: change.content.protection)
        else { return nil }
        self.init(
            name: change.mark.item.bytes,
            digest: change.mark.version.digest.bytes,
            itemClass: itemClass,
            protection: protection,
            isTombstone: change.mark.isTombstone,
            modified: 0,
            attributes: change.content.attributes,
            value: change.content.value,
            replaces: replaced?.bytes
        )
    }

    /// The part of the item that entries carry to other devices.
    var content: ItemContent {
        ItemContent(
            classLetters: itemClass.rawValue,
            protection: protection.rawValue,
            isTombstone: isTombstone,
            attributes: attributes,
            value: value
        )
    }
}
