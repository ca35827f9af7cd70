/// A schedule of retries: 1, 2, 4 passes later, and so on, up to 1,024.
///
/// Another program may still be copying a file to the relay, so a device tries again. The growing
/// pauses keep it from reading garbage in every pass.
struct Retries<Key: Sendable & Hashable>: Sendable {
    private struct Turn: Sendable {
        var due: Int
        var wait: Int
    }

    private static var waitLimit: Int { 1024 }

    private var pass = 0
    private var turns: [Key: Turn] = [:]

    /// Begins another pass.
    mutating func begin() { pass += 1 }

    func isDue(_ key: Key) -> Bool { turns[key].map { $0.due <= pass } ?? true }

    mutating func fail(_ key: Key) {
        let wait = turns[key].map { min($0.wait * 2, Self.waitLimit) } ?? 1
        turns[key] = Turn(due: pass + wait, wait: wait)
    }

    mutating func succeed(_ key: Key) { turns[key] = nil }
}
