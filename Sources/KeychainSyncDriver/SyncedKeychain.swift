import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import SyncRelay

/// The keychain that is synchronized, as far as synchronization is concerned.
///
/// There are two: one behind an endpoint, and that of a simulation.
package protocol SyncedKeychain: Sendable {
    /// Changes with every write of an item.
    func mark() throws(SyncFailure) -> UInt64

    /// Whether items are out of reach.
    func isLocked() throws(SyncFailure) -> Bool

    /// All items and tombstones that are exchanged, without their content.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked.
    func scan() throws(SyncFailure) -> KeychainScan

    /// The content of items, by their names; what is gone is not in it.
    func contents(of items: [ItemName]) throws(SyncFailure) -> [ItemName: SyncedItem]

    /// Whether changes of another device are what a keychain may have written.
    func verify(_ changes: [ItemChange]) throws(SyncFailure) -> Bool

    /// Changes items and records together.
    ///
    /// - Returns: What it came to; nil if an item is no longer what was to be replaced.
    func apply(
        _ items: [SyncedItem],
        keeping records: [SyncRecord]
    ) throws(SyncFailure) -> SyncOutcome?

    /// All records whose key begins so.
    func records(_ prefix: [UInt8]) throws(SyncFailure) -> [SyncRecord]

    /// Removes all records.
    func forget() throws(SyncFailure)

    /// Which classes this device exchanges: a system of another version may exchange others.
    var exchangedClasses: [String] { get }

    /// The keys of the device; nil if it has none.
    func signer() throws(SyncFailure) -> (any PeerSigner)?

    /// New keys; earlier ones go.
    func makeSigner() throws(SyncFailure) -> any PeerSigner

    /// Deletes the keys, if there are any.
    func removeSigner() throws(SyncFailure)

    /// A new key for records, and the record to keep of it.
    func makeSeal(_ random: any RandomSource) throws(SyncFailure) -> (RecordSeal, SyncRecord)

    /// The key that a record holds.
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

    // A look behind the last row is no use of the keychain.
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

    /// All items and tombstones that are exchanged, without their content.
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

    /// The content of items, by their names; what is gone is not in it.
    func contents(of items: [ItemName]) throws(SyncFailure) -> [ItemName: SyncedItem] {
        let found = try fromKeychain(try endpoint.synchronizedItems(named: items.map(\.bytes)))
        return Dictionary(
            found.map { (ItemName(unchecked: $0.name), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether changes of another device are what a keychain may have written.
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

    /// Changes items and records together.
    ///
    /// - Returns: What it came to; nil if an item is no longer what was to be replaced.
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

    /// All records whose key begins so.
    func records(_ prefix: [UInt8]) throws(SyncFailure) -> [SyncRecord] {
        try fromKeychain(try endpoint.synchronizationRecords(prefix: prefix))
    }

    /// Removes all records.
    func forget() throws(SyncFailure) { _ = try fromKeychain(try endpoint.send(.forget)) }

    /// Which classes this device exchanges: a system of another version may exchange others.
    var exchangedClasses: [String] {
        ItemClass.stored.filter { endpoint.profiles.system.exchanges($0) }.map(\.rawValue)
    }
}

/// What a keychain contains at one moment.
package struct KeychainScan: Sendable {
    /// Seconds from 1970 to 2001.
    static let epochOffset: Double = 978_307_200

    /// Before the first item was read.
    let mark: UInt64
    var items: [LocalItem] = []
    /// How many rows do not open; as long as there are any, a missing item may be one of them.
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
    /// A change as the keychain takes it; nil for a class or protection class that it never has.
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

    /// What other devices are told of the item.
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
