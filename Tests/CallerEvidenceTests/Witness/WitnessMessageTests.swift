import CallerEvidence
import TestSupport
import Testing

@testable import ProcessWitness

private let full = Evidence.protected.with {
    $0.executable?.digest = nil
    $0.systemUnit = "shop.service"
    $0.confinement = .label("mailer")
    $0.isTraced = true
    $0.isInOtherUserNamespace = true
    $0.hasSeveralAccounts = true
    $0.foreignMappings = ["/tmp/a.so", ""]
    $0.image = .max
}

private let answers: [WitnessAnswer] = [
    .evidence(full),
    .evidence(Evidence(userID: .max, processID: -1)),
    .evidence(full.with { $0.confinement = Confinement.flatpak("org.example.A") }),
    .evidence(full.with { $0.confinement = Confinement.snap("a") }),
    .failure(.ended),
    .failure(.unanswered),
    .failure(.refused(operation: "open", code: -13)),
]

@Suite struct `The messages of the witness` {
    @Test func `have the bytes of their specification`() {
        let question = WitnessQuestion(userID: 1000, clientGroup: 998)
        #expect(question.bytes == Array("KWQ1".utf8) + [0xE8, 3, 0, 0, 0xE6, 3, 0, 0, 0, 0, 0, 0])
        #expect(WitnessAnswer.failure(.ended).bytes == Array("KWA1".utf8) + [1, 0, 0, 0])
        let refused = WitnessAnswer.failure(.refused(operation: "x", code: 13))
        #expect(refused.bytes == Array("KWA1".utf8) + [3, 0, 0, 0, 13, 0, 0, 0, 1, 0, 0, 0, 0x78])
    }

    @Test(arguments: [nil, 0, 998] as [UInt32?])
    func `carry a question`(group: UInt32?) {
        let question = WitnessQuestion(userID: 1000, clientGroup: group)
        #expect(question.bytes.count == WitnessQuestion.byteCount)
        #expect(WitnessQuestion(question.bytes) == question)
    }

    @Test(arguments: answers)
    func `carry an answer`(answer: WitnessAnswer) {
        #expect(WitnessAnswer(answer.bytes) == answer)
    }

    @Test(arguments: answers)
    func `are not understood when cut short or longer`(answer: WitnessAnswer) {
        #expect(SpoiledBytes.cut(answer.bytes).allSatisfy { WitnessAnswer($0) == nil })
        #expect(WitnessAnswer(answer.bytes + [0]) == nil)
    }

    @Test(arguments: answers, [1, 0x80, 0xFF] as [UInt8])
    func `never pass for the same when a bit is changed`(answer: WitnessAnswer, bits: UInt8) {
        let spoiled = SpoiledBytes.flipped(answer.bytes, bits)
        #expect(spoiled.allSatisfy { WitnessAnswer($0) != answer })
    }

    @Test func `cut a text that is too long between two characters`() {
        let long = String(repeating: "\u{E9}", count: 600)
        let evidence = full.with { $0.foreignMappings = [long] }
        guard case .evidence(let read)? = WitnessAnswer(WitnessAnswer.evidence(evidence).bytes)
        else {
            Issue.record("the answer is not understood")
            return
        }
        #expect(read.foreignMappings == [String(repeating: "\u{E9}", count: 512)])
    }

    @Test func `fit into the limit`() {
        let path = "/" + String(repeating: "a", count: 5000)
        let evidence = full.with {
            $0.executable?.path = path
            $0.foreignMappings = Array(repeating: path, count: 20)
            $0.systemUnit = path
            $0.confinement = .label(path)
        }
        #expect(WitnessAnswer.evidence(evidence).bytes.count <= WitnessAnswer.byteLimit)
    }
}
