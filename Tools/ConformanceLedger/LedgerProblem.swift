/// Something about the ledger that a person has to mend.
struct LedgerProblem: Error, Equatable, CustomStringConvertible, Sendable {
    /// `file:line` where there is a line, else the file.
    let place: String
    /// What is wrong and what to do about it.
    let message: String

    /// A problem at a place.
    init(_ place: String, _ message: String) {
        self.place = place
        self.message = message
    }

    /// `place: message`, the form editors can follow.
    var description: String { "\(place): \(message)" }
}
