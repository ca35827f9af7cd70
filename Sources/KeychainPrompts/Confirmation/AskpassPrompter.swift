import Glibc
import Secrets

/// A prompter that uses the program that people set for ssh's questions.
///
/// The account chooses the program, so it gets none of the rights of this one: `ChildProgram`
/// starts it with the account's own group and without any descriptor of this process.
///
/// - Source: ssh-add(1), "ENVIRONMENT"; OpenSSH's readpass.c for the answers that count as yes.
struct AskpassPrompter: Sendable {
    private let path: String

    /// Creates a prompter; nil if the environment names no program, or forbids it.
    init?(_ variable: (String) -> String?) {
        guard let path = variable("SSH_ASKPASS") else { return nil }
        let hasDisplay = variable("DISPLAY") != nil || variable("WAYLAND_DISPLAY") != nil
        switch variable("SSH_ASKPASS_REQUIRE")?.lowercased() {
        case "never": return nil
        case "force": break
        default: guard hasDisplay else { return nil }
        }
        self.path = path
    }

    /// Shows a question and waits.
    ///
    /// - Returns: Whether the person agreed; nil if the program cannot be started.
    func confirm(_ question: String, _ deadline: PromptDeadline) -> Bool? {
        var variables = Self.variables
        variables["SSH_ASKPASS_PROMPT"] = "confirm"
        guard let child = ChildProgram(path, [question], environment: variables) else { return nil }
        let answer = child.line(atMost: 64, until: deadline)
        switch answer {
        case .text(let text):
            let agrees = text.secret.withUnsafeBytes { bytes in
                bytes.isEmpty || String(decoding: bytes, as: UTF8.self).lowercased() == "yes"
            }
            return agrees && child.exitStatus(until: deadline) == 0
        // A program that only ends gives its answer with its status.
        case .ended: return child.exitStatus(until: deadline) == 0
        case .tooLong, .unwanted: return false
        }
    }

    /// The environment of this process.
    private static var variables: [String: String] {
        var found: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let words = String(cString: entry).split(separator: "=", maxSplits: 1)
            if words.count == 2 { found[String(words[0])] = String(words[1]) }
            next += 1
        }
        return found
    }
}
