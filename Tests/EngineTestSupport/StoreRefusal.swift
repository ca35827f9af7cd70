import KeychainEngine
import KeychainModel
import Testing

/// Expects that the store refuses the work: status and reason are those of the error.
package func expectRefusal(
    _ expected: StoreError,
    sourceLocation: SourceLocation = #_sourceLocation,
    of work: () throws -> Void
) {
    let refusal = KeychainError(expected)
    let error = #expect(throws: KeychainError.self, sourceLocation: sourceLocation) { try work() }
    #expect(error?.status == refusal.status, sourceLocation: sourceLocation)
    #expect(error?.reason == refusal.reason, sourceLocation: sourceLocation)
}

/// Expects SQLite's `SQLITE_ERROR`, in whatever words.
package func expectDatabaseError(
    sourceLocation: SourceLocation = #_sourceLocation,
    from work: () throws -> Void
) {
    let error = #expect(throws: KeychainError.self, sourceLocation: sourceLocation) { try work() }
    let reason = error?.reason ?? ""
    #expect(error?.status == .notAvailable, sourceLocation: sourceLocation)
    #expect(reason.hasPrefix("database error 1: "), "\(reason)", sourceLocation: sourceLocation)
}
