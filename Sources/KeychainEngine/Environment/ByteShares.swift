// Invariant    What all persons hold never exceeds the limit, and nobody holds more than half of
//              what the others leave: whoever comes later finds something.

/// Counts bytes by person.
struct ByteShares: Sendable {
    private let limit: Int
    private var held: [UInt32: Int] = [:]
    private var all = 0

    /// - Parameter limit: The bytes of all persons in all.
    init(limit: Int) { self.limit = limit }

    /// Reserves bytes.
    ///
    /// - Returns: nil if they count from now on; else how many the person may hold now.
    mutating func reserve(_ byteCount: Int, for person: UInt32) -> Int? {
        let own = held[person] ?? 0
        let share = (limit - (all - own)) / 2
        guard own + byteCount <= share else { return share }
        held[person] = own + byteCount
        all += byteCount
        return nil
    }

    /// Gives bytes back; whoever holds nothing any more is not remembered.
    mutating func release(_ byteCount: Int, for person: UInt32) {
        all -= byteCount
        held[person] = (held[person] ?? 0) - byteCount
        if held[person] == 0 { held[person] = nil }
    }
}
