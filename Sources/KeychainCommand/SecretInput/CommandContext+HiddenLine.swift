import Secrets

extension CommandContext {
    /// Reads one line from a pipe, or from the terminal without showing it.
    package func hiddenLine(called name: String) throws(CommandFailure) -> SharedSecret {
        try SecretInput(terminal).line(called: name)
    }
}
