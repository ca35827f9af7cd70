import Glibc
import KeychainModel

/// What the program writes.
enum AgentOutput {
    static let name = "keychain-ssh-agent"

    /// A line on standard error.
    static func complain(_ text: String) {
        write("\(name): \(VisibleText.escaping(text))\n", to: STDERR_FILENO)
    }

    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // Nobody is left to tell when this fails.
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// The shell commands that tell clients of the agent.
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

    /// The shell commands after the end of an agent.
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
