import DataProtection
import KeychainModel
import Secrets

// Verifies the keys of handles whose classes are open.
//
// Source: Documentation/Spec/store.md §4.
extension ItemVault {
    func checkHandleKeys(
        _ check: CheckWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        let rows: [HandleKeyRow]
        do throws(KeychainError) {
            rows = try withRows(of: check.scan.snapshot) { store throws(KeychainError) in
                try store.handleKeys()
            }
        } catch {
            return check.found(.database(try Self.damage(error)))
        }
        for row in rows where session.device.isAvailable(row.protection) {
            guard try !opens(row, session) else { continue }
            let reason = "handle_keys, class \(row.protection.rawValue)"
            check.found(.database("\(reason): a key is not what was stored"))
        }
    }

    private func opens(
        _ row: HandleKeyRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            _ = try open(row, session)
            return true
        } catch {
            guard error.status == .decode else { throw error }
            return false
        }
    }
}
