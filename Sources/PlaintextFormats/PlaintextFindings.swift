/// The entries and malformed lines of a file.
struct PlaintextFindings {
    var entries: [PlaintextEntry] = []
    /// Lines that stay because they are malformed, or contain something that cannot move.
    var oddities: [PlaintextError] = []

    /// Records a line that stays.
    mutating func note(_ line: Int, _ reason: String) {
        oddities.append(PlaintextError(line, reason))
    }

    /// Adds the entry of a line.
    ///
    /// A malformed line stays, and the reader continues.
    mutating func add(_ read: () throws(PlaintextError) -> PlaintextEntry?) {
        do throws(PlaintextError) {
            if let entry = try read() { entries.append(entry) }
        } catch {
            oddities.append(error)
        }
    }
}
