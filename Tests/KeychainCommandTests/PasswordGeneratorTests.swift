import Cryptography
import Glibc
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import KeychainCommand

/// Gives out words that are written down beforehand, then only zeros.
private final class WrittenRandomSource: RandomSource {
    private let words: Mutex<ArraySlice<UInt32>>

    init(_ words: [UInt32]) { self.words = Mutex(words[...]) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        let word = words.withLock { $0.popFirst() ?? 0 }
        withUnsafeBytes(of: word) { buffer.copyBytes(from: $0.prefix(buffer.count)) }
    }
}

private func text(_ drawn: PasswordGenerator.Drawn) -> String {
    drawn.secret.secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

@Suite struct `A generated password` {
    @Test(.requirement("PKG-08"))
    func `throws away a number of an incomplete last round`() throws {
        // 2^32 - 1 is 3 x 1431655765: with one more, 0 would be likelier than 1 and 2.
        let source = WrittenRandomSource([UInt32.max, 4, UInt32.max - 1])
        let generator = PasswordGenerator(random: source)
        #expect(try generator.number(below: 3) == 1)
        #expect(try generator.number(below: 3) == 2)
    }

    @Test(.requirement("PKG-08"))
    func `starts again if a kind of characters is missing`() throws {
        let source = WrittenRandomSource([0, 1, 0, 2])
        let generator = PasswordGenerator(random: source)
        let classes = [Array("ab".utf8), Array("1".utf8)]
        #expect(text(try generator.password(length: 2, of: classes)) == "a1")
    }

    @Test(
        .requirement("PKG-08"),
        arguments: [
            (length: 1, sizes: [10], count: 10.0), (length: 2, sizes: [26, 10], count: 520),
            (length: 2, sizes: [1, 1], count: 2), (length: 3, sizes: [1, 1, 1], count: 6),
            (length: 3, sizes: [2, 1], count: 18),
            (length: 4, sizes: [26, 26, 10, 32], count: 5_191_680),
        ]
    )
    func `has as many bits as there are such passwords`(
        length: Int,
        sizes: [Int],
        count: Double
    ) {
        #expect(abs(PasswordGenerator.bits(length: length, sizes) - log2(count)) < 1e-9)
    }

    @Test(.requirement("PKG-08"))
    func `has words of the list, each of which counts`() throws {
        let list = ["one", "three", "two"].map { Array($0.utf8)[...] }
        let generator = PasswordGenerator(random: WrittenRandomSource([2, 0, 1]))
        let drawn = try generator.passphrase(words: 3, from: list)
        #expect(text(drawn) == "two-one-three")
        #expect(abs(drawn.bits - 3 * log2(3)) < 1e-9)
    }

    @Test(.requirement("PKG-08"))
    func `has only words of the system's list that are easy to type`() throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let letters = Array("abcdefghijk")
        let words = letters.flatMap { a in
            letters.flatMap { b in letters.map { c in "\(a)\(b)\(c)" } }
        }
        let path = scratch.path + "/words"
        let odd = ["A", "abc's", "Abc", "abcdefghi", "ab", "äbc", "", "aaa"]
        try scratch.write((odd + words).joined(separator: "\n") + "\n", to: path)
        let read = try WordList.read(path).map { String(decoding: $0, as: UTF8.self) }
        #expect(read == words.sorted())
        let terminal = TestTerminal()
        let line = ["keychainctl", "generate", "--words", "6", "--dictionary", path]
        #expect(TestKeychain.run(line, on: try TestKeychain.endpoint(), terminal) == 0)
        let drawn = terminal.outputText.dropLast().split(separator: "-").map(String.init)
        #expect(drawn.count == 6)
        #expect(Set(drawn).isSubset(of: words))
        #expect(terminal.diagnosticsText.contains("a passphrase of 62 bits"))
    }
}

@Suite struct `A password without a line end` {
    @Test(
        .requirement("PKG-08"),
        arguments: [("find-generic-password", "-s"), ("find-internet-password", "-s")]
    )
    func `is written byte for byte with --raw`(find: String, place: String) throws {
        let endpoint = try TestKeychain.endpoint()
        let add = ["keychainctl", find.replacing("find", with: "add"), place, "x", "-a", "ann"]
        let bytes: [UInt8] = [0x61, 0x22, 0x00, 0xFF, 0x0A]
        #expect(TestKeychain.run(add, on: endpoint, TestTerminal(input: bytes + [0x0A])) == 0)
        let terminal = TestTerminal()
        let words = ["keychainctl", find, place, "x", "--raw"]
        #expect(TestKeychain.run(words, on: endpoint, terminal) == 0)
        #expect(terminal.output == bytes)
        #expect(terminal.diagnostics == [])
    }

    @Test(.requirement("PKG-08"))
    func `is generated with --raw`() throws {
        let terminal = TestTerminal()
        let words = ["keychainctl", "generate", "--raw", "-n", "12", "--characters", "lower"]
        #expect(TestKeychain.run(words, on: try TestKeychain.endpoint(), terminal) == 0)
        #expect(terminal.output.count == 12)
        #expect(terminal.output.allSatisfy { (0x61...0x7A).contains($0) })
        // At a terminal, the end of the password would not be seen.
        let screen = TestTerminal(outputIsTerminal: true)
        #expect(TestKeychain.run(words, on: try TestKeychain.endpoint(), screen) == 2)
        #expect(screen.output == [])
    }
}
