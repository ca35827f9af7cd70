import Foundation
import TestSupport
import Testing

private let hasTools = ["script", "bash", "timeout"].allSatisfy { Workshop.isInstalled($0) }

extension Programs {
    @Suite(.enabled(if: hasTools, "script, bash and timeout make the terminal of this test"))
    struct `A gated item at a terminal` {
        private let workshop: Workshop
        private let notes: String

        init() throws {
            workshop = try Workshop()
            notes = workshop.scratch.path + "/notes"
            try workshop.run("keychainctl", "passcode", "set", input: "tundra velvet orbit\n")
            try workshop.run(
                "keychainctl",
                "add-generic-password",
                "-a",
                "ada",
                "-s",
                "bank",
                "--require",
                "userPresence",
                input: "hunter2"
            )
        }

        /// Reads the item in a job of a shell with a terminal; what the job wrote, and its status.
        private func read(_ ending: String) throws -> String {
            let call = "timeout -s KILL 300 keychainctl find-generic-password -s bank -w"
            let job = "\(call) >\(notes) 2>&1 \(ending); echo status $? >>\(notes)"
            let line = "KEYCHAIN_PROMPT=terminal bash -mc '\(job)'"
            try workshop.run("script", "-qec", line, "/dev/null")
            return try String(contentsOfFile: notes, encoding: .utf8)
        }

        @Test(.requirement("BIO-08"))
        func `has a job in the background refused at once`() throws {
            defer { workshop.scratch.remove() }
            let found = try read("& wait $!")
            #expect(found.contains("errSecInteractionNotAllowed (-25308)"), "\(found)")
            #expect(found.hasSuffix("status 36\n"), "\(found)")
        }
    }
}
