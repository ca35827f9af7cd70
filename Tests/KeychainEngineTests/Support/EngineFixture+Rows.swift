import EngineTestSupport
import KeychainMessages
import KeychainModel

@testable import KeychainEngine

// The rows behind the keychain's back, and what a check says of them.
extension EngineFixture {
    /// Runs SQL on the store, as any program with SQLite could.
    func execute(_ sql: [String]) throws {
        try inside { state throws(KeychainError) in
            for statement in sql { try state.vault.store.connection.execute(statement) }
        }
    }

    /// What a check finds.
    func faults() throws -> [CheckFault] { try engine.faults() }
}

extension Engine {
    /// What a check finds.
    func faults() throws -> [CheckFault] {
        var faults: [CheckFault] = []
        _ = try check(naming: { faults.append($0) })
        return faults
    }
}
