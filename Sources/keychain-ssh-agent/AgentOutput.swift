import Glibc
import KeychainModel

/// The output of the program.
enum AgentOutput {
    static let name = "keychain-ssh-agent"

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        write("\(name): \(VisibleText.escaping(text))\n", to: STDERR_FILENO)
    }

    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // A failure is ignored, because there is nobody left to tell.
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// Returns shell commands that set the agent's variables.
    static func announcement(socket: String, processID: Int32, _ shell: AgentOptions.Shell)
        -> String
    {
        let socket = quoted(socket)
        return switch shell {
        case .bourne:
            """
            SSH_AUTH_SOCK=\(socket); export SSH_AUTH_SOCK;
            SSH_AGENT_PID=\(processID); export SSH_AGENT_PID;
            echo Agent pid \(processID);

            """
        case .c:
            """
            setenv SSH_AUTH_SOCK \(socket);
            setenv SSH_AGENT_PID \(processID);
            echo Agent pid \(processID);

            """
        }
    }

    /// Returns shell commands for the end of an agent.
    static func farewell(processID: Int32, _ shell: AgentOptions.Shell) -> String {
        let unset = shell == .c ? "unsetenv" : "unset"
        return """
            \(unset) SSH_AUTH_SOCK;
            \(unset) SSH_AGENT_PID;
            echo Agent pid \(processID) killed;

            """
    }

    private static func quoted(_ text: String) -> String {
        let plain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "/._-+".utf8.contains(byte)
        }
        guard !plain else { return text }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
