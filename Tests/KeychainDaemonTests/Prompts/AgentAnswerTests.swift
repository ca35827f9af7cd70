import KeychainDaemon
import KeychainModel
import Secrets
import Testing

private struct Row: CustomTestStringConvertible {
    let testDescription: String
    let answer: PromptAnswer
    var offersFallback = true
    /// What the engine gets; nil: the agent lies.
    let allowed: String?

    init(_ name: String, _ answer: PromptAnswer, offersFallback: Bool = true, _ allowed: String?) {
        testDescription = name
        self.answer = answer
        self.offersFallback = offersFallback
        self.allowed = allowed
    }
}

private func typed(_ byteCount: Int) -> PromptAnswer {
    .typed(SharedSecret(Secret(copying: [UInt8](repeating: 65, count: byteCount))))
}

private let rows: [Row] = [
    Row("a text", typed(4), "typed"),
    Row("the longest text", typed(4095), "typed"),
    Row("a longer text", typed(4096), nil),
    Row("no text", typed(0), "nothing"),
    Row("another way", .fallback, "fallback"),
    Row("another way that is not offered", .fallback, offersFallback: false, "canceled"),
    Row("Cancel", .canceled, "canceled"),
    Row("no way to show it", .impossible, "impossible"),
    Row("a finger", .presented([1]), nil),
    Row("a paired device", .approved, nil),
    Row("an interruption", .interrupted, nil),
]

@Suite struct `An answer of an agent` {
    @Test(.requirement("DMN-09"), arguments: rows)
    fileprivate func `is one that an agent can know`(_ row: Row) {
        let prompt = Prompt(.passcode, offersFallback: row.offersFallback)
        let allowed = AgentAnswer.allowed(row.answer, to: prompt)
        #expect(allowed.map { "\($0)".prefix { $0.isLetter } } == row.allowed.map { $0[...] })
    }
}
