import Foundation
import Glibc
import TestSupport
import Testing

// Who can read what a person types, prompt by prompt: the table in SECURITY.md.

/// Tries a way.
///
/// - Returns: Whether it read what the person typed.
private typealias Attempt = @Sendable (PromptReader) throws -> Bool

/// ★ Table: an attack for each way of each prompt in SECURITY.md.
private let attempts: [String: [String: Attempt]] = [
    "`keychainctl` on its own terminal, protected": [
        "whatever opens the terminal's device": { try $0.terminal("device") },
        "the terminal itself": { try $0.terminal("is") },
        "`ptrace` of the shell that starts it": { try $0.terminal("shell") },
        "its memory": { try $0.memory() },
    ],
    "`keychainctl` on its own terminal, not protected": [
        "whatever opens the terminal's device": { try $0.plainTerminal("device") },
        "the terminal itself": { try $0.plainTerminal("is") },
        "`ptrace` of the shell that starts it": { try $0.plainTerminal("shell") },
        "its memory while the daemon of your account looks at it": { try $0.looked() },
        "its memory at any other time": { try $0.plainMemory() },
    ],
    "the agent's dialog on X11": [
        "every program of the display": { try $0.dialog(.display) },
        "a module that the display's settings name": { try $0.dialog(.module) },
        "`ptrace` of the dialog": { try $0.dialog(.memory(ofAgent: false)) },
        "the agent's memory": { try $0.dialog(.memory(ofAgent: true)) },
        "a dialog that a variable names": { try $0.dialog(.named) },
    ],
    "the agent's dialog on Wayland": [
        "`ptrace` of the dialog": { try $0.wayland(byMemory: true) },
        "other programs of the display": { try $0.wayland(byMemory: false) },
    ],
    "the agent's dialog by `pinentry-gnome3`": [
        "whatever takes the dialog's name on the session's bus": { try $0.dialog(.service) },
        "the agent's memory": { try $0.dialog(.memory(ofAgent: true), by: "gnome3") },
    ],
    "the agent's dialog on a terminal (`pinentry-curses`)": [
        "whatever opens the terminal's device": { try $0.curses(byMemory: false) },
        "`ptrace` of the dialog": { try $0.curses(byMemory: true) },
    ],
    "a dialog of a program that is not protected": [
        "a dialog that `KEYCHAIN_PINENTRY` names": { try $0.named("KEYCHAIN_PINENTRY") },
        "a dialog that `PATH` finds": { try $0.named("PATH") },
    ],
    "the login screen or the console's login, with PAM": [
        "the memory of `keychain-pam`": { try $0.login() }
    ],
    "a window that looks like a prompt": [
        "the window": { try $0.imitation() }
    ],
]

private let ways = Result { try PromptWay.all() }

extension `An attack on the system daemon` {
    @Suite(.enabled(if: PromptScreen.isPossible, PromptScreen.reason))
    struct `by reading a prompt` {
        private let stage: LoadingStage

        init() throws { stage = try LoadingStage.current() }

        /// Whether a process may look at another one of its account that is no child of it.
        private static var mayTrace: Bool {
            let file = "/proc/sys/kernel/yama/ptrace_scope"
            let scope = try? String(contentsOfFile: file, encoding: .utf8)
            return scope.map { $0.hasPrefix("0") } ?? true
        }

        @Test(.requirement("HRD-04"))
        func `has a way for every row of the table, and a row for every way`() throws {
            let ways = try ways.get()
            let listed = Dictionary(grouping: ways, by: \.prompt).mapValues { Set($0.map(\.words)) }
            #expect(listed == attempts.mapValues { Set($0.keys) })
            #expect(Set(ways).count == ways.count)
        }

        @Test(.requirement("HRD-03", "HRD-04"), arguments: (try? ways.get()) ?? [])
        func `reads what SECURITY.md says, and nothing else`(way: PromptWay) throws {
            let attempt = try #require(attempts[way.prompt]?[way.words])
            try stage.keepSecret()
            let reader = try PromptReader(stage)
            // ptrace(2) of what is no child: a setting of the kernel forbids it.
            let isForbidden = way.words == "`ptrace` of the dialog" && !Self.mayTrace
            #expect(try attempt(reader) == (way.succeeds && !isForbidden))
        }

        @Test(.requirement("HRD-03"))
        func `finds no dialog that another account could replace`() throws {
            let program = stage.program("dialog")
            try prepare("printf '#!/bin/sh\\nexit 1\\n' >\(program) && chmod 755 \(program)")
            try prepare("chown \(stage.account) \(program)")
            try stage.set("pinentry", to: program)
            defer { try? stage.set("pinentry", to: nil) }
            let agent = try stage.start(["keychain-agent"], ["DISPLAY": ":77"])
            try agent.line(with: "root does not own \(program)")
            kill(agent.number, SIGKILL)
            try agent.end()
        }
    }
}
