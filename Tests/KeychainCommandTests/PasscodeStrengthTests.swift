import Secrets
import TestSupport
import Testing

@testable import KeychainCommand

/// A passcode and about how many guesses find it, as a power of ten.
private struct Case: CustomTestStringConvertible {
    let passcode: String
    let magnitude: ClosedRange<Int>

    init(_ passcode: String, _ magnitude: ClosedRange<Int>) {
        self.passcode = passcode
        self.magnitude = magnitude
    }

    var testDescription: String { "'\(passcode)'" }

    static let all = [
        // Nothing, one character, and few.
        Case("", 0...0), Case("7", 1...1), Case("a", 1...1), Case("ab", 2...3),
        Case("é", 2...2),
        // Digits alone: as many guesses as there are numbers.
        Case("4719", 4...4), Case("471928", 6...6), Case("4719283650", 10...10),
        // What nobody chooses character by character.
        Case("1111", 1...2), Case("123456", 2...3), Case("fedcba", 2...3),
        Case("111111111111111111111111", 1...3), Case("abababababababab", 2...4),
        Case("qwertz", 2...3), Case("poiuytrewq", 2...3), Case("1987", 2...3),
        // What lists of stolen passwords begin with.
        Case("password", 0...2), Case("P@ssw0rd", 0...2), Case("trustno1", 0...2),
        // A word, and a word with the usual ornaments.
        Case("tomato", 5...6), Case("tomato1", 6...7), Case("Tomato1987!", 8...10),
        // Chosen by dice.
        Case("k7vq2mzx", 12...13), Case("k7vQ2mz!x", 17...18),
        Case("tundra velvet orbit mango stitch plow", 30...60),
        Case("tundravelvetorbitmangostitchplow", 20...60),
    ]
}

@Suite struct `The strength of a passcode` {
    private func strength(_ text: String) -> PasscodeStrength {
        PasscodeStrength(of: Secret(copying: text.utf8))
    }

    @Test(.requirement("LCK-08"), arguments: Case.all)
    fileprivate func `is about the number of guesses that find it`(row: Case) {
        #expect(row.magnitude.contains(strength(row.passcode).magnitude))
    }

    @Test(
        .requirement("LCK-08"),
        arguments: [
            ("7", true), ("4719", true), ("471928365", true), ("tomato1987", true),
            ("k7vq2mzx", false), ("tundra velvet orbit mango", false),
        ]
    )
    func `is too little where one core finds it in a lifetime`(passcode: String, isWeak: Bool) {
        #expect(strength(passcode).isWeak == isWeak)
    }

    @Test(
        arguments: [
            (0, "1", "1 second"), (1, "10", "5 seconds"), (2, "100", "50 seconds"),
            (3, "1,000", "8 minutes"), (4, "10,000", "83 minutes"), (5, "100,000", "14 hours"),
            (6, "1 million", "6 days"), (9, "1 billion", "16 years"),
            (14, "100 trillion", "1584404 years"), (15, "10^15", "more than 10 million years"),
        ]
    )
    func `is said in guesses and in time`(magnitude: Int, guesses: String, duration: String) {
        let strength = PasscodeStrength(magnitude: magnitude)
        #expect(strength.guesses == guesses)
        #expect(strength.duration == duration)
    }

    @Test func `is said of enormous passcodes without trapping`() {
        let long = strength(String(repeating: "x9$Q", count: 1000) + "!")
        #expect(!long.isWeak)
        #expect(!long.duration.isEmpty)
    }
}

@Suite struct `A weak secret` {
    @Test(
        .requirement("LCK-08"),
        arguments: [
            (["passcode", "set"], "passcode"),
            (["backup", "/dev/null/none"], "backup password"),
        ]
    )
    func `is taken, and named on standard error`(words: [String], name: String) throws {
        let endpoint = try TestKeychain.endpoint()
        let terminal = TestTerminal(typing: ["4719", "4719"])
        _ = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
        #expect(terminal.diagnosticsText.contains("about 10,000 guesses find this \(name): "))
        #expect(terminal.diagnosticsText.contains("83 minutes on one core"))
        #expect(!terminal.diagnosticsText.contains("4719"))
        #expect(terminal.outputText.isEmpty)
    }
}
