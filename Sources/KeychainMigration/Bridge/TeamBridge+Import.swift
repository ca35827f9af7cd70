import Foundation

extension TeamBridge {
    /// Imports the items that the old team's version exported, verifies them, and removes the
    /// container.
    ///
    /// If an item fails or conflicts with another value, the container remains and the next import
    /// continues. After a complete import the keychain keeps the container's number, so a second
    /// import of a copy fails.
    ///
    /// - Parameters:
    ///   - key: the key with which the container was encrypted.
    ///   - journal: the record of the progress.
    ///   - now: the current date.
    ///   - isDryRun: whether to report only, and change nothing.
    ///   - group: returns the new access group for an old one; nil is the program's default group.
    /// - Returns: the outcome for each item.
    /// - Throws: ``BridgeFailure``.
    public func importItems(
        openedWith key: EnvelopeKey,
        journal: any MigrationJournal,
        now: Date = Date(),
        isDryRun: Bool = false,
        group: @Sendable (String) -> String?
    ) throws(BridgeFailure) -> MigrationReport {
        let envelope = try envelope()
        guard try !isUsed(envelope) else {
            // The container is a copy, or a crash occurred directly before its removal.
            if !isDryRun { try removeContainer() }
            throw .alreadyUsed
        }
        let items = try open(envelope, with: key)
        let source = BridgedItemSource(items.map { $0.item(inGroup: nil) }, name: container.name)
        let moves = zip(items, source.keys).map { bridged, key in
            let target = bridged.item(inGroup: bridged.accessGroup.flatMap(group))
            var wanted = target
            wanted.value = nil
            return Move(key, from: source, to: wanted, title: target.address.description)
        }
        // The items stay in the container until all of them have arrived.
        let mover = Mover(keychain: keychain, journal: journal, retention: .keepPlaintext(days: 0))
        var report = mover.run(moves, now: now, isDryRun: isDryRun)
        for index in report.lines.indices
        where report.lines[index].outcome == .movedKeepingOriginal {
            report.lines[index].outcome = .moved
        }
        noteChangedDates(of: moves, in: &report)
        guard report.isComplete, !isDryRun else { return report }
        try markUsed(envelope)
        try removeContainer()
        return report
    }

    private func envelope() throws(BridgeFailure) -> Envelope {
        let bytes: Data?
        do throws(SourceFailure) {
            bytes = try container.read()
        } catch { throw .file(error) }
        guard let bytes else { throw .noContainer }
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: bytes),
            envelope.format == 1
        else { throw .damaged(container.name) }
        return envelope
    }

    private func open(
        _ envelope: Envelope,
        with key: EnvelopeKey
    ) throws(BridgeFailure) -> [BridgedItem] {
        let plain: SecretBytes
        do throws(KeychainFailure) {
            plain = try key.open(envelope.sealed)
        } catch { throw .keychain(error) }
        let bytes = plain.copyBytesUnprotected()
        guard let items = try? JSONDecoder().decode([BridgedItem].self, from: bytes) else {
            throw .damaged(container.name)
        }
        return items
    }

    private func usedAddress(_ envelope: Envelope) -> ItemAddress {
        .genericPassword(service: "keychain-migration.bridge", account: envelope.id.uuidString)
    }

    private func isUsed(_ envelope: Envelope) throws(BridgeFailure) -> Bool {
        do throws(KeychainFailure) {
            return try keychain.read(usedAddress(envelope)) != nil
        } catch { throw .keychain(error) }
    }

    private func removeContainer() throws(BridgeFailure) {
        do throws(SourceFailure) {
            try container.remove()
        } catch { throw .file(error) }
    }

    private func markUsed(_ envelope: Envelope) throws(BridgeFailure) {
        do throws(KeychainFailure) {
            try keychain.add(KeychainItem(at: usedAddress(envelope), value: SecretBytes("used")))
        } catch { throw .keychain(error) }
    }

    /// Reports items whose creation date changed, because not every keychain preserves it.
    private func noteChangedDates(of moves: [Move], in report: inout MigrationReport) {
        let changed = moves.filter { move in
            guard let wanted = move.target.created,
                let found = try? keychain.read(move.target.address)?.created
            else { return false }
            return abs(found.timeIntervalSince(wanted)) > 1
        }
        guard !changed.isEmpty, !report.isDryRun else { return }
        report.advice.append("\(changed.count) items have a new creation date.")
    }
}

/// The items of an opened container as an old store.
///
/// The container is removed as a whole, not item by item.
private struct BridgedItemSource: LegacySource {
    let name: String
    let keys: [String]
    private let items: [String: KeychainItem]

    init(_ items: [KeychainItem], name: String) {
        self.name = name
        keys = items.indices.map { "\($0)" }
        self.items = Dictionary(uniqueKeysWithValues: zip(keys, items))
    }

    var trust: SourceTrust { .trusted }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        items[key]?.value.map { LegacyValue($0) }
    }

    func delete(_ key: String) throws(SourceFailure) {
        throw SourceFailure(.undeletable, name)
    }
}
