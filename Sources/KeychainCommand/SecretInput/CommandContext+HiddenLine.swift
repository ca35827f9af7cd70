import Secrets

extension CommandContext {
    /// Reads one line that is not shown: from a pipe, or from the person at the terminal.
    package func hiddenLine(called name: String) throws(CommandFailure) -> SharedSecret {
        try SecretInput(terminal).line(called: name)
    }
}
