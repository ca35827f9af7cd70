import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// A row whose attributes were opened.
struct OpenRow: Sendable {
    let sealed: SealedRow
    let item: PlainItem
}

// Translating a selection for the store.
extension ItemVault {
    /// Returns the store's filter for a selection within the caller's groups.
    func filter(for selection: Selection, in scope: GroupScope) throws(KeychainError) -> RowFilter {
        try filter(for: selection, in: scope, readingGroupsFrom: store)
    }

    /// Returns the filter for a search that shares the vault and has a store of its own.
    func filter(
        for selection: Selection,
        in scope: GroupScope,
        readingGroupsFrom store: borrowing ItemStore
    ) throws(KeychainError) -> RowFilter {
        var filter = RowFilter(itemClass: selection.itemClass)
        filter.synchronizable = selection.synchronizable
        filter.isTombstone = selection.matchesTombstones
        filter.protection = selection.protection
        filter.primaryKeys = try primaryKeyDigests(of: selection, in: scope)
        // The digest of a primary key already covers the group.
        if filter.primaryKeys == nil || !selection.pairs.isEmpty {
            let groups = try groupNames(of: scope, in: store)
            if filter.primaryKeys == nil { filter.accessGroups = try groupDigests(of: groups) }
            filter.pairs = try pairDigests(of: selection, groups, in: store)
        }
        filter.publicKey = try publicKeyDigests(of: selection)
        let isNamed = filter.primaryKeys != nil
        switch selection.reference?.target {
        case .uuid(let uuid)?: filter.reference = uuid
        case .row(let number)?: filter.row = number
        case nil: break
        }
        for (attribute, value) in zip(selection.terms.keys, selection.terms.values) {
            guard let spec = Schema.spec(attribute, in: selection.itemClass) else { continue }
            if isNamed, spec.traits.contains(.primaryKey) { continue }
            if selection.ignoresCase, case .string = value { continue }
            filter.digests[attribute] =
                try digests.digest(of: value, for: spec, in: selection.itemClass)
        }
        return filter
    }

    /// Returns nil unless the selection is for keys and names a public key.
    private func publicKeyDigests(
        of selection: Selection
    ) throws(KeychainError) -> PublicKeyDigests? {
        guard let hash = selection.publicKeyHash,
            let label = Schema.spec(.applicationLabel, in: selection.itemClass)
        else { return nil }
        return PublicKeyDigests(
            own: try digests.digest(ofPublicKeyHash: hash),
            label: try digests.digest(of: .data(hash), for: label, in: selection.itemClass)
        )
    }

    /// Returns the primary keys that a selection names, if it lacks only the group.
    ///
    /// A search finds such rows without reading their attributes.
    func primaryKeyDigests(
        of selection: Selection,
        in scope: GroupScope
    ) throws(KeychainError) -> [[UInt8]]? {
        guard case .groups(let groups) = scope,
            (1...TableText.valueKeyCountLimit).contains(groups.count),
            selection.reference == nil, !selection.ignoresCase, selection.synchronizable != .any
        else { return nil }
        var found: [[UInt8]] = []
        for group in groups {
            let digest = try digests.primaryKey(
                of: selection.itemClass,
                selection.terms,
                in: group,
                isSynchronizable: selection.synchronizable == .synchronized
            )
            guard let digest else { return nil }
            found.append(digest)
        }
        return found
    }

    /// Returns the names of the groups in a scope that may have items; nil for all.
    private func groupNames(
        of scope: GroupScope,
        in store: borrowing ItemStore
    ) throws(KeychainError) -> [String]? {
        switch scope {
        case .groups(let groups): return groups
        case .matching(let groups, let prefixes):
            if prefixes.contains("") { return nil }
            let known = try storedGroups(in: store).filter { name in
                prefixes.contains { name.hasPrefix($0) }
            }
            return groups + known
        }
    }

    private func groupDigests(of groups: [String]?) throws(KeychainError) -> [[UInt8]]? {
        guard let groups else { return nil }
        var found: [[UInt8]] = []
        for name in groups { found.append(try digests.digest(ofAccessGroup: name)) }
        return found
    }

    /// Returns nil unless the selection names pairs.
    private func pairDigests(
        of selection: Selection,
        _ groups: [String]?,
        in store: borrowing ItemStore
    ) throws(KeychainError) -> [[[UInt8]]]? {
        guard !selection.pairs.isEmpty else { return nil }
        let names = if let groups { groups } else { try storedGroups(in: store) }
        var found: [[[UInt8]]] = []
        for name in Set(names).sorted() {
            found.append(try digests.digests(of: selection.pairs, inAccessGroup: name))
        }
        return found
    }

    /// Returns the names of all groups that ever had an item, in alphabetical order.
    private func storedGroups(in store: borrowing ItemStore) throws(KeychainError) -> [String] {
        let sealed = try store.accessGroups()
        return sealed.compactMap { digests.openName($0.name, digest: $0.digest) }.sorted()
    }
}

// Opening rows.
extension ItemVault {
    /// Opens the attributes of a row.
    ///
    /// - Returns: nil for a row that is damaged, or whose class key no longer exists; it counts as
    ///   absent (STO-11).
    /// - Throws: `errSecInteractionNotAllowed` while the row's class is closed.
    mutating func open(
        _ row: SealedRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> OpenRow? {
        let protection = row.item.columns.protection
        if !keyring.holds(protection), let error = session.device.unavailability(of: protection) {
            if case .noSuchClass = error { return nil }
            throw KeychainError(error)
        }
        guard let key = try metadataKey(of: protection, session) else { return nil }
        return try open(row, under: key, session)
    }

    /// Opens the attributes of a row with an open metadata key; returns nil for a damaged row.
    func open(
        _ row: SealedRow,
        under key: MetadataKey,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> OpenRow? {
        work.countMetadata()
        do throws(CipherError) {
            let item = try cipher.openMetadata(of: row.item, under: key)
            return OpenRow(sealed: row, item: item)
        } catch .damaged {
            try requireKeySet(of: session)
            return nil
        } catch {
            throw KeychainError(error)
        }
    }

    /// Returns the metadata key; nil if the class has none or if it does not unwrap.
    mutating func metadataKey(
        of protection: ProtectionClass,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> MetadataKey? {
        do throws(KeychainError) {
            return try keyring.existingKey(of: protection, device: session.device, store: store)
        } catch {
            guard error.status == .decode else { throw error }
            try requireKeySet(of: session)
            return nil
        }
    }

    /// Opens the value of a row, with its gate's key if it has one; returns nil if it is damaged.
    func openSecret(
        of row: OpenRow,
        _ session: borrowing DeviceSession,
        gate: SharedSecret? = nil
    ) throws(KeychainError) -> Secret? {
        try openSecret(of: row.sealed.item, session, gate: gate)
    }

    /// Opens a value whose attributes may have stayed sealed; returns nil if it is damaged.
    func openSecret(
        of item: SealedItem,
        _ session: borrowing DeviceSession,
        gate: SharedSecret? = nil
    ) throws(KeychainError) -> Secret? {
        work.countSecret()
        let cipher = cipher
        do throws(CipherError) {
            let protection = item.columns.protection
            return try session.device.withClassKey(protection, else: CipherError.init(unavailable:))
            {
                key throws(CipherError) in
                work.countTrip()
                return try cipher.openSecret(of: item, gate: gate, under: key)
            }
        } catch .damaged {
            try requireKeySet(of: session)
            return nil
        } catch {
            throw KeychainError(error)
        }
    }
}

// Sealing.
extension ItemVault {
    /// Seals both halves under the item's protection class; needs a write transaction.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the class is closed; `errSecAuthFailed` for a
    ///   class that needs a passcode if none is set.
    mutating func seal(
        _ item: PlainItem,
        secret: borrowing Secret,
        gate: Gate? = nil,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> SealedItem {
        var sealed = try sealMetadata(of: item, session)
        let columns = sealed.columns
        guard let binding = cipher.binding(of: sealed) else {
            throw KeychainError(.internal, "a sealed item has no binding")
        }
        let cipher = cipher
        sealed.secret = try session.withClassKey(item.protection) {
            key throws(CryptographyError) in
            try cipher.sealSecret(
                secret,
                columns: columns,
                binding: binding,
                gate: gate,
                under: key
            )
        }
        return sealed
    }

    /// Seals a row without a value, as for a tombstone.
    mutating func sealMetadata(
        of item: PlainItem,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> SealedItem {
        switch session.device.unavailability(of: item.protection) {
        case nil: break
        case .noSuchClass?:
            throw session.passcodeMissing(
                withConstraints: item.gateConstraint != nil
            )
        case let error?: throw KeychainError(error)
        }
        let key = try keyring.key(
            of: item.protection,
            device: session.device,
            store: store,
            random: environment.random
        )
        let columns = try digests.columns(of: item)
        let metadata = try fromCryptography(
            try cipher.sealMetadata(
                of: item,
                columns: columns,
                binding: try cipher.makeBinding(),
                under: key
            )
        )
        return SealedItem(
            columns: columns,
            metadata: metadata,
            secret: nil,
            pairs: try digests.digests(ofPairsOf: item)
        )
    }

    /// Stores the group's name, so that wildcards and listings can find it.
    mutating func remember(accessGroup name: String) throws(KeychainError) {
        let digest = try digests.digest(ofAccessGroup: name)
        guard try !store.knowsAccessGroup(digest: digest) else { return }
        let sealed = try digests.seal(name: name, random: environment.random)
        try store.insertAccessGroup(digest: digest, name: sealed)
    }
}

extension CipherError {
    /// Converts the error for a class key that is not in memory.
    init(unavailable error: DeviceError) { self = .unavailable(error) }
}
