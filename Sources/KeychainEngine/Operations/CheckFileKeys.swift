import DataProtection
import KeychainModel

// Verifies the keys of file classes: changed and damaged rows in every lock state, and keys that do
// not open although their class is open.
//
// Source: Documentation/Spec/store.md §4.
extension ItemVault {
    func checkFileKeys(
        _ check: CheckWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        let rows: [FileKeyRow]
        do throws(KeychainError) {
            rows = try withRows(of: check.scan.snapshot) { store throws(KeychainError) in
                try store.fileKeys()
            }
        } catch {
            return check.found(.database(try Self.damage(error)))
        }
        var classes: [[UInt8]: Int] = [:]
        for row in rows {
            classes[row.name, default: 0] += 1
            guard try !opens(row, session) else { continue }
            check.found(.database("file_keys row \(row.number): the key is not what was stored"))
        }
        let incomplete = classes.values.count { $0 != FileClass.allCases.count }
        guard incomplete > 0 else { return }
        check.found(.database("\(incomplete) sets of file keys lack a class"))
    }

    private func opens(
        _ row: FileKeyRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        guard try isSound(row, session) else { return false }
        guard session.device.isAvailable(row.fileClass.guardian) else { return true }
        do throws(KeychainError) {
            _ = try classKey(row, session)
            return true
        } catch {
            guard error.status == .decode else { throw error }
            return false
        }
    }
}
