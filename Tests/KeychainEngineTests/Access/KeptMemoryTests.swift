import Cryptography
import EngineTestSupport
import KeychainHost
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

@Suite(.requirement("HRD-07")) struct `What programs have an engine keep` {
    private static let moment = DeviceInstant(
        bootID: Array(repeating: 1, count: 16),
        uptime: .seconds(1)
    )

    private static func environment(_ kibibytes: Int, person: UInt32 = 1) -> EngineEnvironment {
        environment(KeptBudget(limit: kibibytes << 10), person: person)
    }

    private static func environment(_ budget: KeptBudget, person: UInt32) -> EngineEnvironment {
        var environment = EngineEnvironment(
            now: { 0 },
            instant: { Self.moment },
            random: SystemRandomSource()
        )
        environment.kept = budget
        environment.person = person
        return environment
    }

    private static func typed(_ byteCount: Int = 4095) -> Proof {
        Proof(applicationPassword: SharedSecret(Secret(byteCount: byteCount) { $0[0] = 1 }))
    }

    /// How many contexts with a typed password are kept before it is enough.
    private func fill(
        _ proofs: inout KeptProofs,
        _ environment: EngineEnvironment
    ) throws -> Int {
        for count in 0..<10_000 {
            do throws(KeychainError) {
                let context = ContextReference(session: SessionID())
                try proofs.keep(evaluated: Self.typed(), for: context, environment)
            } catch {
                #expect(error.status == .allocate)
                return count
            }
        }
        return 10_000
    }

    @Test func `has a limit for each person, and leaves something to others`() throws {
        let budget = KeptBudget(limit: 1 << 20)
        var (first, second) = (KeptProofs(), KeptProofs())
        let count = try fill(&first, Self.environment(budget, person: 1))
        #expect(count == (512 << 10) / (1024 + 2 * 4095))
        #expect(try fill(&second, Self.environment(budget, person: 2)) > 20)
        // The end of contexts makes room.
        first = KeptProofs()
        #expect(try fill(&first, Self.environment(budget, person: 1)) > 30)
    }

    @Test func `ends with its context`() throws {
        let environment = Self.environment(32)
        var proofs = KeptProofs()
        for _ in 0..<1000 {
            let context = ContextReference(session: SessionID())
            try proofs.keep(evaluated: Self.typed(), for: context, environment)
            // Once more is the same context.
            try proofs.keep(evaluated: Self.typed(100), for: context, environment)
            proofs.end(context.session)
        }
        #expect(proofs.isEmpty)
    }

    @Test func `has no password that comes with every call`() throws {
        var proofs = KeptProofs()
        let context = ContextReference(
            session: SessionID(),
            applicationPassword: EngineFixture.secret("words")
        )
        try proofs.keep(evaluated: Self.typed(), for: context, Self.environment(32))
        #expect(proofs.isEmpty)
    }

    @Test func `has a match that finds no room no longer than its call`() {
        var proofs = KeptProofs()
        let key = SharedSecret(Secret(byteCount: 32) { $0[0] = 1 })
        let context = ContextReference(session: SessionID(), reuse: .seconds(10))
        proofs.keep(match: Proof([.biometry: key]), for: context, Self.environment(1))
        #expect(proofs.isEmpty)
        proofs.keep(match: Proof([.biometry: key]), for: context, Self.environment(32))
        #expect(proofs.proof(of: context, at: Self.moment)?.factors == [.biometry])
    }

    @Test func `has a limited number of works in progress`() throws {
        let environment = Self.environment(12 << 10)
        let fixture = try EngineFixture.unlocked()
        let kept = CallerWork()
        func begin() throws(KeychainError) -> WorkID {
            let work = try fixture.engine.enter { state throws(KeychainError) in
                LossWork(state.vault.scan(state.session))
            }
            return try kept.keep(.passcodeLosses(work), environment)
        }
        let works = [try begin(), try begin(), try begin()]
        let refusal = #expect(throws: KeychainError.self) { try begin() }
        #expect(refusal?.status == .allocate)
        kept.stop(works[0])
        #expect(throws: Never.self) { try begin() }
    }

    @Test func `has no search that names much`() {
        var recent = RecentCalls()
        var large = Selection(itemClass: .genericPassword)
        large.terms[.account] = .string(String(repeating: "a", count: 1 << 20))
        recent.remember(large, .refused)
        #expect(!recent.refused(large))
        var small = Selection(itemClass: .genericPassword)
        small.terms[.account] = .string("ada")
        recent.remember(small, .refused)
        #expect(recent.refused(small))
    }
}
