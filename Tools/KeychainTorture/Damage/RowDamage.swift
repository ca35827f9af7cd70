import Cryptography
import KeychainEngine
import KeychainModel

/// Rows that are reset to an earlier state or removed, as anybody with SQLite could.
///
/// A check must report them, until the user accepts the rows.
struct RowDamage {
    private let seed: UInt64
    private let report: TortureReport
    private let keychain: DamagedKeychain
    private var random: SeededNumbers

    init(_ keychain: DamagedKeychain, seed: UInt64, _ report: TortureReport) {
        self.keychain = keychain
        self.seed = seed
        self.report = report
        random = SeededNumbers(seed: seed)
    }

    /// A change of the rows.
    private enum Change {
        case putBack(SealedRow)
        case takeAway(SealedRow)
    }

    mutating func run(rounds: Int) throws(KeychainError) {
        for _ in 0..<rounds {
            try round()
            if report.findings > 0 || report.isOver { return }
        }
    }

    private mutating func round() throws(KeychainError) {
        try keychain.reset(hasLog: false)
        let before = try rows()
        try live()
        let after = try rows()
        let old = before.filter { !after.contains($0) }
        let changes = old.map(Change.putBack) + after.map(Change.takeAway)
        guard let change = changes.randomElement(using: &random) else { return }
        try apply(change, after)
        try expect(telling: true, of: change)
        let rig = try Rig(keychain.directory)
        _ = try rig.engine().acceptRows()
        rig.close()
        try expect(telling: false, of: change)
    }

    /// Changes some of the items, and deletes some.
    private mutating func live() throws(KeychainError) {
        let rig = try Rig(keychain.directory)
        defer { rig.close() }
        for (item, _) in DamagedKeychain.values {
            switch random.next(below: 3) {
            case 0: try rig.update(item, "later value")
            case 1: try rig.delete(item)
            default: break
            }
        }
    }

    private func expect(telling isTold: Bool, of change: Change) throws(KeychainError) {
        let rig = try Rig(keychain.directory)
        defer { rig.close() }
        var isFound = false
        _ = try rig.engine().check(naming: { if case .rowSum = $0 { isFound = true } })
        guard isFound != isTold else { return }
        let sentence =
            isTold ? "the check does not tell" : "the check tells after the rows were accepted"
        let what =
            switch change {
            case .putBack(let row): "row \(row.row) put back"
            case .takeAway(let row): "row \(row.row) taken away"
            }
        report.found("\(what): \(sentence)", repeatWith: "--seed \(seed)")
    }
}

// Access to the rows without the keychain.
extension RowDamage {
    private func rows() throws(KeychainError) -> [SealedRow] {
        try inStore { store throws(KeychainError) in
            var rows: [SealedRow] = []
            for itemClass in ItemClass.stored {
                var filter = RowFilter(itemClass: itemClass)
                filter.synchronizable = .any
                filter.isTombstone = nil
                rows += try store.rows(filter, withSecrets: true)
            }
            return rows
        }
    }

    private func apply(_ change: Change, _ present: [SealedRow]) throws(KeychainError) {
        try inStore { store throws(KeychainError) in
            try store.begin()
            switch change {
            case .takeAway(let row):
                _ = try store.remove(row: row.row, of: row.item.columns.itemClass)
            case .putBack(let row):
                _ =
                    present.contains { $0.isSamePlace(as: row) }
                    ? try store.replace(row) : try store.insert(row.item)
            }
            store.leaveRowSum()
            try store.commit()
        }
        switch change {
        case .takeAway: report.add("rows-taken-away")
        case .putBack: report.add("rows-put-back")
        }
    }

    private func inStore<R>(
        _ body: (borrowing ItemStore) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try body(try ItemStore(opening: keychain.path(of: "keychain.db")))
    }
}

extension SealedRow {
    fileprivate func isSamePlace(as other: SealedRow) -> Bool {
        row == other.row && item.columns.itemClass == other.item.columns.itemClass
    }
}
