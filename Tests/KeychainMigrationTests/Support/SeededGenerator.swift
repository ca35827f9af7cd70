/// Random numbers that come again with their seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A text of printable characters, some of them awkward.
    mutating func text(_ lengths: ClosedRange<Int> = 1...24) -> String {
        let letters = Array("abcXYZ019 ._-/\\\"'{}[]<>&=:;,#é漢🔑\t")
        return String(
            (0..<Int.random(in: lengths, using: &self)).map { _ in
                letters.randomElement(using: &self) ?? "a"
            }
        )
    }

    mutating func bytes(_ lengths: ClosedRange<Int> = 1...24) -> [UInt8] {
        (0..<Int.random(in: lengths, using: &self)).map { _ in
            UInt8.random(in: 0...255, using: &self)
        }
    }
}
