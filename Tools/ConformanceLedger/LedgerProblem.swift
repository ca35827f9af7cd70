/// A problem of the ledger that a person has to solve.
struct LedgerProblem: Error, Equatable, CustomStringConvertible, Sendable {
    /// `file:line`, or the file if there is no line.
    let place: String
    /// The problem and its solution.
    let message: String

    /// Makes a problem at a place.
    init(_ place: String, _ message: String) {
        self.place = place
        self.message = message
    }

    /// `place: message`, the form that editors understand.
    var description: String { "\(place): \(message)" }
}
