import Foundation
import Glibc
import TestSupport
import Testing

// Code and eyes of the same account in a permitted program.

extension `An attack on the system daemon` {
    @Suite struct `by code in a permitted program` {
        private let stage: AttackStage

        init() throws { stage = try AttackStage.current() }

        private var library: String { "\(stage.own)/lib.so" }
        private var mark: String { "\(stage.own)/mark" }

        /// Puts a library into the account's directory, in each place where the loader may look.
        private func plant(_ name: String) throws {
            try prepare("rm -f \(mark) && cp \(stage.program(name)) \(library)")
            try prepare("chown \(stage.account) \(library) && chmod 755 \(library)")
            try prepare(
                "ln -sf lib.so \(stage.own)/libc.so.6 && ln -sf lib.so \(stage.own)/attack.so"
            )
            let modules = "module KEYCHAIN-ATTACK// INTERNAL attack 1\n"
            try modules.write(
                toFile: "\(stage.own)/gconv-modules",
                atomically: false,
                encoding: .utf8
            )
        }

        /// What a program says that is started with a variable for the loader.
        private func run(_ name: String, _ steps: String, _ variable: String) throws -> [String] {
            let isFile = ["LD_PRELOAD", "LD_AUDIT"].contains(variable)
            let process = try stage.launch(
                try stage.words(stage.program(name), steps),
                [variable: isFile ? library : stage.own, "MARK": mark]
            )
            return try process.end()
        }

        @Test(
            .requirement("DMN-04"),
            arguments: ["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "GCONV_PATH"]
        )
        func `gets none into a protected program`(variable: String) throws {
            try plant("libmark")
            let lines = try run("mailer", "convert whoami find mail mail", variable)
            #expect(lines == ["welcome", "0", "verified mail", "value secret-of-mail"])
            #expect(access(mark, F_OK) != 0)
        }

        @Test(.requirement("DMN-05"), arguments: ["LD_PRELOAD", "LD_AUDIT"])
        func `makes an observed program nobody while its file is there to be seen`(
            variable: String
        ) throws {
            try plant("libmark")
            let lines = try run("reader", "whoami find notes notes", variable)
            #expect(lines.begin(with: "welcome", "nobody", missingEntitlement))
            #expect(access(mark, F_OK) == 0)
        }

        @Test func `gets a module of iconv into an observed program later, as is said`() throws {
            try plant("libmark")
            let lines = try run("reader", "whoami convert find notes notes", "GCONV_PATH")
            #expect(lines.dropFirst(3) == ["value secret-of-notes"])
            #expect(access(mark, F_OK) == 0)
        }

        /// The attack that succeeds: an observed program has no defense against its own account.
        @Test func `SUCCEEDS in an observed program, by a library that hides itself`() throws {
            try plant("libhidden")
            let attack = try stage.words("", "whoami find notes notes").dropFirst()
            let process = try stage.launch(
                [stage.program("reader")],
                ["LD_PRELOAD": library, "ATTACK": attack.joined(separator: " ")]
            )
            #expect(
                try process.end() == [
                    "welcome", "observed notes", "value secret-of-notes",
                ]
            )
        }

        @Test(.requirement("DMN-04"))
        func `that hides itself does not even run in a protected program`() throws {
            try plant("libhidden")
            let attack = try stage.words("", "whoami find mail mail").dropFirst()
            let process = try stage.launch(
                [stage.program("mailer")],
                ["LD_PRELOAD": library, "ATTACK": attack.joined(separator: " ")]
            )
            #expect(try process.end() == [])
        }

        /// `vault` has no policy: its items are in the private group of its path.
        @Test(.requirement("DMN-04"), arguments: ["mailer", "vault"])
        func `gets nothing from a protected program that is started without its protection`(
            name: String
        ) throws {
            let group = name == "mailer" ? "mail" : "path:\(stage.program(name))"
            if name == "vault" {
                let added = try stage.play(name, "whoami add \(group) vault secret-of-vault")
                #expect(added == ["verified \(group)", "nothing"])
            }
            try plant("libhidden")
            let attack = try stage.words("", "whoami find \(group) vault").dropFirst()
            let process = try stage.launch(
                ["/usr/bin/setpriv", "--no-new-privs", "/usr/bin/env", "LD_PRELOAD=\(library)"]
                    + ["ATTACK=\(attack.joined(separator: " "))", stage.program(name)]
            )
            #expect(try process.end().begin(with: "welcome", "nobody", missingEntitlement))
        }

        /// The words of a permitted program that has its secret in memory, under a prober.
        private func probed(_ name: String, _ group: String) throws -> [String] {
            let victim = try stage.words(stage.program(name), "find \(group) \(group) say hear")
            return try stage.launch([stage.program("probe")] + victim).end()
        }

        @Test func `SUCCEEDS with the memory of an observed program, by ptrace and mem`() throws {
            let ways = Set(try probed("reader", "notes"))
            #expect(
                ways.isSuperset(of: [
                    "mem", "environ", "maps", "fd/0", "exe", "vm", "getfd", "found", "ptrace",
                    "end",
                ])
            )
        }

        @Test(.requirement("DMN-04")) func `sees and traces nothing of a protected program`() throws
        {
            // Everybody may open the executable of such a process where they may read the file.
            #expect(Set(try probed("mailer", "mail")).subtracting(["exe"]) == ["end"])
        }

        @Test(.requirement("DMN-04"), arguments: ["daemon", "witness"])
        func `sees and traces nothing of the daemon and the witness`(name: String) throws {
            let daemon = try stage.daemon
            let number = try name == "daemon" ? daemon.number : daemon.witness()
            let process = try stage.launch([stage.program("probe"), "\(number)"])
            #expect(try process.end() == ["end"])
        }

        /// Starts a companion whose file has a mode, and traces it at once.
        private func seized(_ name: String, mode: String) throws -> [String] {
            let copy = stage.program("seized")
            try prepare("install -m \(mode) \(try DaemonBench.program(name)) \(copy)")
            return try stage.launch([stage.program("seizer"), copy]).end()
        }

        @Test(
            .requirement("HRD-01"),
            arguments: ["keychain-tpm", "keychain-relay", "keychain-bus", "keychain-fingerprint"]
        )
        func `traces no program that a protected one starts, not in its first moment either`(
            name: String
        ) throws {
            let mode = "$(bash -c 'source \(checkout)/Packaging/places.sh && mode_of \(name)')"
            #expect(try seized(name, mode: mode) == ["refused \(EPERM)"])
            // The mode does it: this is the same attack at a file that everybody may read.
            #expect(try seized(name, mode: "0755") == ["traced"])
        }

        private var checkout: String {
            let file = URL(filePath: #filePath)
            return (0..<4).reduce(file) { file, _ in file.deletingLastPathComponent() }.path
        }

        @Test(.requirement("DMN-05"))
        func `runs a permitted program under a debugger as nobody`() throws {
            let gdb = try stage.words(stage.program("reader"), "whoami find notes notes")
            let process = try stage.launch([stage.program("tracer")] + gdb)
            let lines = try process.end()
            #expect(lines.begin(with: "welcome", "nobody", missingEntitlement))
            let protected = try stage.words(stage.program("mailer"), "whoami find mail mail")
            let traced = try stage.launch([stage.program("tracer")] + protected).end()
            #expect(traced.begin(with: "welcome", "nobody", missingEntitlement))
        }
    }
}
