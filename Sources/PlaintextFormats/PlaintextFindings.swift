/// The entries and malformed lines of a file.
struct PlaintextFindings {
    var entries: [PlaintextEntry] = []
    /// Lines that stay because they are malformed, or contain something that cannot move.
    var oddities: [PlaintextError] = []

    /// Records a line that stays.
    mutating func note(_ line: Int, _ reason: String) {
        oddities.append(PlaintextError(line, reason))
    }

    /// Notes a setting that no tool is known to read a secret from, if its value looks like one.
    mutating func noteSecret(_ value: Range<Int>, _ line: Int, _ view: ByteView) {
        guard SecretName.seemsSecret(value: view.secret(value).secret) else { return }
        note(line, "a setting that looks like a secret; it stays")
    }

    /// Adds what a line gives; a line that makes no sense stays, and the reader goes on.
    mutating func add(_ read: () throws(PlaintextError) -> PlaintextEntry?) {
        do throws(PlaintextError) {
            if let entry = try read() { entries.append(entry) }
        } catch {
            oddities.append(error)
        }
    }
}
