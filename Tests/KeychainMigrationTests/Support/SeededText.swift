import Cryptography

extension SeededNumbers {
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
