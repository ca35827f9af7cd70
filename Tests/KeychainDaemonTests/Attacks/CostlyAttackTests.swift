import Cryptography
import EngineTestSupport
import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import DataProtection

// Programs that have the daemon work for them: passwords that take long to try, and files that name
// costs that no device chooses.

extension `An attack on the system daemon` {
    @Suite struct `by work` {
        private let stage: AttackStage

        init() throws { stage = try AttackStage.current() }

        private var group: String { "path:\(stage.program("stranger"))" }

        /// A daemon whose passcodes and passwords take a second of a processor to try.
        private func slowDaemon(_ name: String) throws -> AttackDaemon {
            try AttackDaemon(
                stage.folder + "/" + name,
                of: stage,
                ["KEYCHAIN_UNLOCK_TIME": "1000"]
            )
        }

        @Test(.requirement("HRD-05"), .timeLimit(.minutes(10)))
        func `on costly passwords keeps no other account waiting, and no lock`() throws {
            let daemon = try slowDaemon("costly")
            func play(_ steps: String, as user: UInt32) throws -> [String] {
                try stage.play("stranger", steps, as: user, at: daemon.socket)
            }
            // The one account's items are open, and lock when nobody uses them.
            let victim = stage.other
            #expect(
                try play("add \(group) own x passcode right-horse settings 1", as: victim)
                    == ["nothing", "done", "done"]
            )
            try daemon.line(with: "locked the keychain of account \(victim)")
            // The other's program guesses over many connections.
            #expect(
                try play("addpass \(group) gated y secret", as: stage.account) == ["nothing"]
            )
            let words = [
                stage.program("stranger"), "guess", daemon.socket, "40", group, "gated",
            ]
            let guessing = try stage.launch(words)
            try guessing.line(with: "guessing")
            // After two answers, nobody has sent anything for some seconds.
            #expect(try guessing.line() == "refused -25293")
            #expect(try guessing.line() == "refused -25293")
            let during = try play(
                "unlock right-horse find \(group) own lock find \(group) own unlock right-horse",
                as: victim
            )
            #expect(
                during.begin(with: "done", "value x", "done", "failed -25308", "done")
            )
            try daemon.line(with: "locked the keychain of account \(victim)")
            // All that took as long as a few of the 40 guesses.
            let rest = try guessing.end(with: SIGKILL)
            #expect(rest.count < 20)
            // Whoever is gone leaves no guess behind.
            #expect(try play("find \(group) none", as: stage.account).begin(with: "failed -25300"))
            try daemon.end(with: SIGTERM)
        }

        @Test(.requirement("HRD-05"), .timeLimit(.minutes(10)))
        func `on costly passwords does not keep the account's own lock waiting`() throws {
            let daemon = try slowDaemon("own-lock")
            func play(_ steps: String) throws -> [String] {
                try stage.play("stranger", steps, at: daemon.socket)
            }
            #expect(
                try play("passcode right-horse add \(group) own x addpass \(group) gated y secret")
                    == ["done", "nothing", "nothing"]
            )
            let words = [
                stage.program("stranger"), "guess", daemon.socket, "40", group, "gated",
            ]
            let guessing = try stage.launch(words)
            try guessing.line(with: "guessing")
            #expect(
                try play("lock find \(group) own").begin(with: "done", "failed -25308")
            )
            try guessing.end(with: SIGKILL)
            try daemon.end(with: SIGTERM)
        }

        /// A cost that a file names, and what the answer to an unlock says of it.
        struct Claim: Sendable, CustomTestStringConvertible {
            let cost: Argon2id.Cost
            let words: [String]
            var testDescription: String { words[0] }
        }

        private static let claims = [
            Claim(
                cost: Argon2id.Cost(memoryKiB: 1 << 20, passes: 64, lanes: 4),
                words: ["1048576 KiB", "262144"]
            ),
            Claim(
                cost: Argon2id.Cost(memoryKiB: 1 << 18, passes: 64, lanes: 16),
                words: ["16 lanes", "1 to 4"]
            ),
            Claim(
                cost: Argon2id.Cost(memoryKiB: 1 << 18, passes: 64, lanes: 4),
                words: ["16384 MiB in all passes", "accepts"]
            ),
        ]

        @Test(.requirement("HRD-07", "HRD-08"), arguments: claims)
        func `on a crafted keybag is told both numbers, and takes no memory`(claim: Claim) throws {
            let index = try #require(Self.claims.firstIndex { $0.words == claim.words })
            let folder = stage.folder + "/crafted\(index)"
            let daemon = try AttackDaemon(folder, of: stage)
            let first = try stage.play("stranger", "passcode right-horse", at: daemon.socket)
            #expect(first == ["done"])
            try daemon.end(with: SIGTERM)
            try craft(daemon.state + "/\(stage.account)", claim.cost)
            try daemon.start()
            let programs = try (0..<4).map { _ in
                try stage.start("stranger", "unlock right-horse", at: daemon.socket)
            }
            let lines = try programs.flatMap { try $0.end() }
            let toldBoth = lines.filter { line in claim.words.allSatisfy { line.contains($0) } }
            #expect(toldBoth.count == 4, "\(lines)")
            #expect(try daemon.peakMebibytes < 256)
            try daemon.end(with: SIGTERM)
        }

        /// Has the keybag of a directory name another cost, with a code that fits: its owner has
        /// all keys that this takes.
        private func craft(_ directory: String, _ cost: Argon2id.Cost) throws {
            let storage = try DirectoryStorage(path: directory)
            let element = SoftwareSecureElement(storage: storage, random: SystemRandomSource())
            let bytes = try #require(try storage.read(.keybag))
            let keybag = try Keybag(decoding: bytes, path: directory, element: element)
            var record = keybag.record
            record.passcode?.cost = cost
            try storage.replace(.keybag, with: try keybag.encoded(record))
        }
    }
}

extension AttackDaemon {
    /// How much memory it has had at a time, in MiB.
    var peakMebibytes: Int {
        get throws { try memory("VmHWM") }
    }

    /// A line of the kernel's account of its memory, in MiB.
    func memory(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) })
        let kibibytes = try #require(Int(line.filter(\.isNumber)))
        return kibibytes / 1024
    }
}
