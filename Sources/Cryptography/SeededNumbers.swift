/// Repeatable choices for tests, the simulator and tools: one seed, one sequence.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    private let source: SeededRandomSource

    /// Starts the sequence that belongs to the seed; copies continue it together.
    package init(seed: UInt64) { source = SeededRandomSource(seed: seed) }

    package mutating func next() -> UInt64 {
        var number: UInt64 = 0
        withUnsafeMutableBytes(of: &number) { source.fill($0) }
        return number
    }

    /// Returns a number from 0 up to, but not including, the limit, which is at least 1.
    package mutating func next(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// Returns one of the elements, of which there is at least one.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[next(below: elements.count)]
    }
}
