import DataProtection
import KeychainModel

// Walking over all rows as they are at one moment, while others write.
extension ItemVault {
    /// Begins a walk.
    func walk(
        _ session: borrowing DeviceSession,
        includingTombstones: Bool = false
    ) -> RowWalk {
        // A store in memory has one connection; a damaged file may allow no further one. The walk
        // then ends in one call, and meets the damage there.
        let snapshot = store.location.flatMap { try? RowSnapshot(path: $0) }
        return RowWalk(
            snapshot,
            keySet: session.device.keySet,
            includesTombstones: includingTombstones
        )
    }

    /// Does work on the rows of a walk.
    ///
    /// - Throws: `errSecNotAvailable` if the rows of the walk are under other keys than the
    ///   session has by now; what the body throws.
    mutating func walking<R>(
        _ snapshot: RowSnapshot?,
        under keySet: [UInt8],
        _ session: borrowing DeviceSession,
        _ body: (inout ItemVault) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        guard session.device.keySet == keySet else {
            let reason = "the passcode was set or changed in the meantime; start again"
            throw KeychainError(.notAvailable, reason)
        }
        guard snapshot == nil else { return try body(&self) }
        try store.beginReading()
        defer { store.rollBack() }
        return try body(&self)
    }

    /// Lends the store that has the rows of a walk.
    func withRows<R>(
        of snapshot: RowSnapshot?,
        _ body: (borrowing ItemStore) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        if let snapshot { return try body(snapshot.reader.store) }
        return try body(store)
    }

    func next(of walk: inout RowWalk) throws(KeychainError) -> RowWalk.Step {
        if let snapshot = walk.snapshot { return try walk.next(in: snapshot.reader.store) }
        return try walk.next(in: store)
    }
}
