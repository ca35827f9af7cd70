import Foundation

/// Lines of an event stream, as Swift Testing writes them.
struct EventStream {
    /// How a test of the stream ends.
    enum End: String {
        case pass, fail, skip, passWithKnownIssue
        /// It never starts.
        case skipped
        /// One of its cases is cancelled.
        case cancelledCase
    }

    private var lines: [String] = []

    /// Adds a test.
    ///
    /// - Parameters:
    ///   - id: Such as `T.Suite/test()/F.swift:1:2`.
    ///   - end: How it ends.
    ///   - cases: The number of its cases; nil if it takes no arguments.
    mutating func add(_ id: String, _ end: End, cases: Int? = nil) {
        line("test", "function", "\"id\":\(Self.quoted(id)),\"isParameterized\":\(cases != nil)")
        let name = "\"testID\":\(Self.quoted(id))"
        for _ in 0..<(cases ?? 0) { line("event", "testCaseEnded", name) }
        switch end {
        case .skipped: line("event", "testSkipped", name)
        case .cancelledCase:
            line("event", "testCaseCancelled", name)
            ended(name, "pass")
        default: ended(name, end.rawValue)
        }
    }

    private mutating func ended(_ name: String, _ symbol: String) {
        line("event", "testEnded", "\(name),\"messages\":[{\"symbol\":\"\(symbol)\"}]")
    }

    private mutating func line(_ kind: String, _ payload: String, _ rest: String) {
        lines.append("{\"kind\":\"\(kind)\",\"payload\":{\"kind\":\"\(payload)\",\(rest)}}")
    }

    private static func quoted(_ text: String) -> String {
        let data = try? JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// The text of a run that ended.
    var text: String { cut + "\n{\"kind\":\"event\",\"payload\":{\"kind\":\"runEnded\"}}\n" }

    /// The text of a run that was killed.
    var cut: String { lines.joined(separator: "\n") }

    /// The text of a run of one test.
    static func of(_ id: String, _ end: End, cases: Int? = nil) -> String {
        var stream = EventStream()
        stream.add(id, end, cases: cases)
        return stream.text
    }
}
