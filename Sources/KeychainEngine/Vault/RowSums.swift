import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel

// The sum of the rows: every write advances it in its own transaction, and a check compares it with
// the rows that are there, so that a row put back or taken away behind the keychain's back shows.
//
// Definitions  "pending": what the transaction under way did to the rows so far.
// Invariants   (1) After a commit the sum is that of the rows, if it was so before.
//              (2) A sum that is not that of the rows stays so until a person accepts the rows.
//              (3) A sum is made from the rows that are there only for a keybag that knows of none.
//
// Source: Documentation/Spec/store.md §6.
extension ItemVault {
    /// Starts a write transaction; nothing is pending.
    mutating func begin() throws(KeychainError) {
        pending = RowSum()
        try store.begin()
    }

    /// Ends the transaction: rows and sum together, durably.
    mutating func commit() throws(KeychainError) {
        try advanceRowSum()
        try store.commit()
    }

    /// Undoes the transaction, also after a commit that failed.
    mutating func rollBack() {
        pending = RowSum()
        store.rollBack()
    }

    /// Notes what a write did to the rows.
    mutating func note(_ change: RowChange) throws(KeychainError) {
        if let taken = change.taken { pending.subtract(try rowSums.entry(of: taken)) }
        if let put = change.put { pending.add(try rowSums.entry(of: put)) }
    }

    /// Adds to the sum what the transaction did so far.
    mutating func advanceRowSum() throws(KeychainError) {
        let change = pending
        pending = RowSum()
        guard change != RowSum(), var sum = try storedRowSum() else { return store.leaveRowSum() }
        sum.add(change)
        try keep(sum)
    }

    /// The sum as the store has it: of no rows if there is none, nil if it does not open.
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

// Comparing the sum with the rows, and making it from them.
extension ItemVault {
    /// A number that differs whenever the rows do; nothing is opened but the sum.
    ///
    /// A sum that does not open does not change with the rows: they are summed up then.
    func rowMark() throws(KeychainError) -> UInt64 {
        let sum = if let stored = try storedRowSum() { stored } else { try sumOfRows() }
        let message = Array("row mark".utf8) + sum.encoded
        let digest = try fromCryptography(try Digest.sha256(message))
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What the sum of the rows says of those that are there; nil if they are the ones written.
    func rowSumFault(of snapshot: RowSnapshot?) throws(KeychainError) -> CheckFault? {
        let found = try sumOfRows(of: snapshot)
        let written = try storedRowSum(of: snapshot)
        guard written != found else { return nil }
        return .rowSum(found: Int(found.count), written: written.map { Int($0.count) })
    }

    /// Takes the rows that are there for those that were written.
    ///
    /// - Returns: How many they are.
    mutating func acceptRows(_ session: inout DeviceSession) throws(KeychainError) -> Int {
        try inTransaction(&session) { vault, _ throws(KeychainError) in
            let sum = try vault.sumOfRows()
            try vault.keep(sum)
            return Int(sum.count)
        }
    }

    /// Sums up the rows of a keychain from before there was a sum; once.
    ///
    /// The keybag's note comes last: a crash in between has the next opening sum up again, and no
    /// row is written in between.
    mutating func takeOverRows(_ session: inout DeviceSession) throws(KeychainError) {
        guard !session.device.sumsRows else { return }
        try inTransaction(&session) { vault, session throws(KeychainError) in
            // Another process may have been here while this one waited.
            guard !session.device.sumsRows else { return }
            try vault.keep(try vault.sumOfRows())
        }
        try session.change { device, now throws(DeviceError) in try device.noteRowSum(at: now) }
    }

    /// Reads the mark of every row.
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
