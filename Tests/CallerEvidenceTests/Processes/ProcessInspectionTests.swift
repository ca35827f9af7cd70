import CallerEvidence
import Glibc
import ProcessWitness
import TestSupport
import Testing

@Suite(.enabled(if: Root.isHere, Root.reason)) struct `The evidence of a process` {
    private let stage: Stage
    private let source: LocalEvidenceSource

    init() throws {
        stage = try Stage.shared.get()
        source = LocalEvidenceSource(clientGroup: stage.group)
    }

    @Test func `of a plain program names its path and digest`() throws {
        let program = try RunningProgram("\(stage.directory)/waiter", as: stage.first)
        let evidence = try program.evidence(by: source, as: stage.first)
        print(evidence)
        let executable = try #require(evidence.executable)
        #expect(executable.path == "\(stage.directory)/waiter")
        #expect(executable.isPresent)
        #expect(executable.isRootOwned)
        #expect(!executable.isReplaceable)
        #expect(executable.digest?.count == 32)
        #expect(evidence.foreignMappings.isEmpty)
        #expect(evidence.image != 0)
    }

    @Test func `protected`() throws {
        let program = try RunningProgram("\(stage.directory)/protected", as: stage.first)
        let evidence = try program.evidence(by: source, as: stage.first)
        print(evidence)
        #expect(evidence.isExecutedSecurely)
    }
}
