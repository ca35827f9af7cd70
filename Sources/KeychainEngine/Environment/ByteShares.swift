// Invariant    All accounts together never exceed the limit, and no account holds more than half of
//              the rest: a later account always finds some memory.

/// A count of reserved bytes by user ID.
struct ByteShares: Sendable {
    private let limit: Int
    private var held: [UInt32: Int] = [:]
    private var all = 0

    /// - Parameter limit: The limit for all accounts together, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Reserves bytes.
    ///
    /// - Returns: nil on success; otherwise the number of bytes that the account may hold now.
    mutating func reserve(_ byteCount: Int, for person: UInt32) -> Int? {
        let own = held[person] ?? 0
        let share = (limit - (all - own)) / 2
        guard own + byteCount <= share else { return share }
        held[person] = own + byteCount
        all += byteCount
        return nil
    }

    /// Releases bytes, and forgets an account that holds none.
    mutating func release(_ byteCount: Int, for person: UInt32) {
        all -= byteCount
        held[person] = (held[person] ?? 0) - byteCount
        if held[person] == 0 { held[person] = nil }
    }
}
