/// A session of a program with a token.
struct TokenSession: Sendable {
    let slot: UInt
    let isReadWrite: Bool
    /// The handles that a search found and nobody fetched yet.
    var found: ArraySlice<UInt>?
    var operations: [OperationKind: Operation] = [:]
    /// Operations that a thread works on at this moment.
    var busy: Set<OperationKind> = []
}
