import KeychainModel

/// The memory of one call's results, charged to the budget until the call returns.
struct HeldResults: ~Copyable {
    private let budget: ResultBudget?
    private let person: UInt32
    private var byteCount = 0

    init(_ environment: EngineEnvironment) {
        budget = environment.results
        person = environment.person
    }

    deinit {
        if byteCount > 0 { budget?.release(byteCount, for: person) }
    }

    /// Charges a row that is about to be opened.
    ///
    /// - Throws: `errSecAllocate` if the budget is used up.
    mutating func add(_ row: SealedRow) throws(KeychainError) {
        try add(row.item.metadata.count + (row.item.secret?.count ?? 0))
    }

    mutating func add(_ count: Int) throws(KeychainError) {
        guard let budget else { return }
        try budget.reserve(count, for: person)
        byteCount += count
    }
}
