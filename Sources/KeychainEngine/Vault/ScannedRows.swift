import DataProtection
import KeychainModel

// Scanning all rows as they are at one moment, while others write.
extension ItemVault {
    /// Begins a scan.
    func scan(
        _ session: borrowing DeviceSession,
        includingTombstones: Bool = false
    ) -> RowScan {
        // A store in memory has one connection, and a damaged file may not allow another. The scan
        // then ends in one call, and reports the damage there.
        let snapshot = readers.flatMap { try? $0.snapshot() }
        return RowScan(
            snapshot,
            keySet: session.device.keySet,
            includesTombstones: includingTombstones
        )
    }

    /// Works on the rows of a scan.
    ///
    /// - Throws: `errSecNotAvailable` if the passcode changed since the scan began; the errors of
    ///   `body`.
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

    /// Lends the store that contains the rows of a scan.
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
