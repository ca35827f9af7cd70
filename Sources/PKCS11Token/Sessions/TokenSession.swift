/// A program's session with a token.
struct TokenSession: Sendable {
    let slot: UInt
    let isReadWrite: Bool
    /// The handles that a search found and the program has not fetched yet.
    var found: ArraySlice<UInt>?
    var operations: [OperationKind: Operation] = [:]
    /// Operations on which a thread is working.
    var busy: Set<OperationKind> = []
}
