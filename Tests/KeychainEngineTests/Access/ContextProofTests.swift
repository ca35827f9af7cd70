import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

@Suite struct `What a context has proven` {
    private static func proof(_ factors: Factor...) -> Proof {
        var keys: [Factor: SharedSecret] = [:]
        for factor in factors {
            keys[factor] = SharedSecret(Secret(copying: [factor.rawValue]))
        }
        return Proof(keys)
    }

    private static func moment(_ seconds: Int, boot: UInt8 = 1) -> DeviceInstant {
        DeviceInstant(bootID: Array(repeating: boot, count: 16), uptime: .seconds(seconds))
    }

    /// ★ Seconds of reuse and seconds later, and whether a match at second 100 still holds.
    private static let windows: [(reuse: Int, now: DeviceInstant, holds: Bool)] = [
        (reuse: 10, now: moment(100), holds: true),
        (reuse: 10, now: moment(110), holds: true),
        (reuse: 10, now: moment(111), holds: false),
        (reuse: 0, now: moment(100), holds: false),
        (reuse: 0, now: moment(101), holds: false),
        (reuse: 300, now: moment(100, boot: 2), holds: false),
        (reuse: 300, now: moment(99), holds: false),
    ]

    @Test(.requirement("BIO-02"), arguments: windows)
    func `by a match holds for the reuse duration, in its boot`(
        reuse: Int,
        now: DeviceInstant,
        holds: Bool
    ) {
        var kept = ContextProof()
        kept.keep(match: Self.proof(.biometry, .currentBiometry), at: Self.moment(100))
        let proof = kept.proof(reusing: .seconds(reuse), at: now)
        #expect(proof.factors == (holds ? [.biometry, .currentBiometry] : []))
    }

    @Test func `by an evaluation holds until the context ends`() {
        var kept = ContextProof()
        kept.keep(evaluated: Self.proof(.passcode, .applicationPassword))
        kept.keep(match: Self.proof(.biometry), at: Self.moment(100))
        let later = kept.proof(reusing: .seconds(10), at: Self.moment(10_000))
        #expect(later.factors == [.passcode, .applicationPassword])
        let soon = kept.proof(reusing: .seconds(10), at: Self.moment(105))
        #expect(soon.factors == [.passcode, .applicationPassword, .biometry])
    }

    @Test func `by a match is a face or finger alone`() {
        var kept = ContextProof()
        kept.keep(
            match: Self.proof(.passcode, .companion, .applicationPassword, .biometry),
            at: Self.moment(100)
        )
        #expect(kept.proof(reusing: .seconds(10), at: Self.moment(100)).factors == [.biometry])
    }

    @Test func `by a match does not shorten what an evaluation has proven`() {
        var kept = ContextProof()
        kept.keep(evaluated: Self.proof(.biometry))
        kept.keep(match: Self.proof(.biometry), at: Self.moment(100))
        #expect(kept.proof(reusing: .zero, at: Self.moment(500)).factors == [.biometry])
    }

    @Test func `is nothing before anything was proven`() {
        let kept = ContextProof()
        #expect(kept.proof(reusing: .seconds(300), at: Self.moment(0)).factors.isEmpty)
    }
}

@Suite struct `A conversation` {
    @Test(arguments: [Factor.biometry, .currentBiometry])
    func `that was refused one kind of biometry asks for no other`(factor: Factor) {
        var conversation = Conversation()
        conversation.refuse(factor, .authenticationFailed)
        #expect(Set(conversation.refused.keys) == [.biometry, .currentBiometry])
        conversation.refuse(.passcode, .passcodeNotSet)
        #expect(conversation.refused[.passcode] == .passcodeNotSet)
        #expect(conversation.outcome == nil)
    }
}
