import DataProtection
import KeychainModel

// Scanning all rows as they are at one moment, while others write.
extension ItemVault {
    /// Begins a scan.
    func scan(
        _ session: borrowing DeviceSession,
        includingTombstones: Bool = false
    ) -> RowScan {
        // A store in memory has one connection; a damaged file may allow no further one. The scan
        // then ends in one call, and meets the damage there.
        let snapshot = readers.flatMap { try? $0.snapshot() }
        return RowScan(
            snapshot,
            keySet: session.device.keySet,
            includesTombstones: includingTombstones
        )
    }

    /// Does work on the rows of a scan.
    ///
    /// - Throws: `errSecNotAvailable` if the rows of the scan are under other keys than the
    ///   session has by now; what the body throws.
    mutating func withScan<R>(
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

    /// Lends the store that has the rows of a scan.
    func withRows<R>(
        of snapshot: RowSnapshot?,
        _ body: (borrowing ItemStore) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        if let snapshot { return try body(snapshot.reader.store) }
        return try body(store)
    }

    func next(of scan: inout RowScan) throws(KeychainError) -> RowScan.Step {
        if let snapshot = scan.snapshot { return try scan.next(in: snapshot.reader.store) }
        return try scan.next(in: store)
    }
}
