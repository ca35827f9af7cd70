import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel

// The sum of the rows. Every write advances it in its own transaction, and a check compares it with
// the present rows. So a row that was restored or removed in the file is detected.
//
// Definitions  "pending": the changes of the open transaction so far.
// Invariants   (1) After a commit the sum is that of the rows, if it was so before.
//              (2) A sum that differs from the rows stays so until a person accepts the rows.
//              (3) A sum is computed from the present rows only for a keybag that knows of none.
//
// Source: Documentation/Spec/store.md §6.
extension ItemVault {
    /// Starts a write transaction without pending changes.
    mutating func begin() throws(KeychainError) {
        pending = RowSum()
        try store.begin()
    }

    /// Commits the transaction: rows and sum together, durably.
    mutating func commit() throws(KeychainError) {
        try advanceRowSum()
        try store.commit()
    }

    /// Undoes the transaction, even after a commit that failed.
    mutating func rollBack() {
        pending = RowSum()
        store.rollBack()
    }

    /// Adds a change to the pending sum.
    mutating func note(_ change: RowChange) throws(KeychainError) {
        if let taken = change.taken { pending.subtract(try rowSums.entry(of: taken)) }
        if let put = change.put { pending.add(try rowSums.entry(of: put)) }
    }

    /// Adds the pending changes to the stored sum.
    mutating func advanceRowSum() throws(KeychainError) {
        let change = pending
        pending = RowSum()
        guard change != RowSum(), var sum = try storedRowSum() else { return store.leaveRowSum() }
        sum.add(change)
        try keep(sum)
    }

    /// Returns the stored sum; that of no rows if there is none, nil if it does not open.
    private func storedRowSum(
        of snapshot: RowSnapshot? = nil
    ) throws(KeychainError) -> RowSum? {
        let sealed = try withRows(of: snapshot) { store throws(KeychainError) in try store.rowSum()
        }
        guard let sealed else { return RowSum() }
        return rowSums.open(sealed)
    }

    private func keep(_ sum: RowSum) throws(KeychainError) {
        try store.replaceRowSum(try rowSums.seal(sum, random: environment.random))
    }
}

// Comparing the sum with the rows, and computing it from them.
extension ItemVault {
    /// Returns a number that changes whenever the rows do; it opens only the sum.
    ///
    /// A damaged sum does not change with the rows, so the rows are summed up instead.
    func rowMark() throws(KeychainError) -> UInt64 {
        let sum = if let stored = try storedRowSum() { stored } else { try sumOfRows() }
        let message = Array("row mark".utf8) + sum.encoded
        let digest = try fromCryptography(try Digest.sha256(message))
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the difference between the stored sum and the present rows; nil if they match.
    func rowSumFault(of snapshot: RowSnapshot?) throws(KeychainError) -> CheckFault? {
        let found = try sumOfRows(of: snapshot)
        let written = try storedRowSum(of: snapshot)
        guard written != found else { return nil }
        return .rowSum(found: Int(found.count), written: written.map { Int($0.count) })
    }

    /// Accepts the present rows as the right ones.
    ///
    /// - Returns: The number of rows.
    mutating func acceptRows(_ session: inout DeviceSession) throws(KeychainError) -> Int {
        try inTransaction(&session) { vault, _ throws(KeychainError) in
            let sum = try vault.sumOfRows()
            try vault.keep(sum)
            return Int(sum.count)
        }
    }

    /// Computes the sum for a keychain that was made before sums existed; once.
    ///
    /// The keybag is marked last. After a crash in between, the next opening computes the sum
    /// again, and no row is written in between.
    mutating func takeOverRows(_ session: inout DeviceSession) throws(KeychainError) {
        guard !session.device.sumsRows else { return }
        try inTransaction(&session) { vault, session throws(KeychainError) in
            // Another process may have done so while this one waited.
            guard !session.device.sumsRows else { return }
            try vault.keep(try vault.sumOfRows())
        }
        try session.change { device, now throws(DeviceError) in try device.noteRowSum(at: now) }
    }

    /// Reads the mark of every row, and sums them up.
    private func sumOfRows(of snapshot: RowSnapshot? = nil) throws(KeychainError) -> RowSum {
        var sum = RowSum()
        for itemClass in ItemClass.stored {
            let cursor = try withRows(of: snapshot) { store throws(KeychainError) in
                try store.marks(of: itemClass)
            }
            while let mark = try next(cursor, of: snapshot) {
                sum.add(try rowSums.entry(of: mark))
            }
        }
        return sum
    }

    private func next(
        _ cursor: MarkCursor,
        of snapshot: RowSnapshot?
    ) throws(KeychainError) -> RowMark? {
        try withRows(of: snapshot) { store throws(KeychainError) in try store.next(cursor) }
    }
}
