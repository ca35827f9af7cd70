import Cryptography
import EngineTestSupport
import Foundation
import Glibc
import KeychainHost
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `The cost of a guess on this machine` {
    /// The cost that a keybag file states.
    private func cost(in keybag: [UInt8]) throws -> Argon2id.Cost {
        let record = try KeybagRecord(parsing: keybag, path: "keybag")
        return try #require(record.passcode).cost
    }

    /// What one derivation takes of the processor.
    private func work(_ cost: Argon2id.Cost) throws -> Duration {
        let start = ThreadClock.now()
        _ = try Argon2id.stretch(
            Secret(copying: [1]),
            salt: Array(repeating: 2, count: 16),
            cost: cost
        )
        return ThreadClock.now() - start
    }

    @Test(.requirement("LCK-08"))
    func `fills about half a second of its processor, and is never the least where more fits`()
        throws
    {
        let home = try TestHome()
        let keychain = try home.open { UnlockTime.cost(filling: UnlockTime.standard) }
        try keychain.endpoint.engine.setPasscode(EngineFixture.secret("1234"), current: nil)
        let cost = try cost(in: try home.read(home.directory + "/keybag"))
        #expect(cost.memoryKiB >= 64 * 1024)
        #expect(cost.passes >= 3)
        #expect(cost.lanes == 1)
        let least = try work(.minimum)
        // A machine for which the least is half a second and more has nothing to add.
        if least < UnlockTime.standard / 2 { #expect(cost != .minimum) }
        #expect(try work(cost) >= min(least, UnlockTime.standard / 4))
    }

    @Test(.requirement("LCK-08"), arguments: [20, 40])
    func `is more than the least wherever the least leaves time`(milliseconds: Int) {
        var readings = 0
        let cost = UnlockTime.cost(filling: UnlockTime.standard) {
            defer { readings += 1 }
            return .milliseconds(milliseconds * readings)
        }
        #expect(cost.memoryKiB > Argon2id.Cost.minimum.memoryKiB)
    }

    @Test(.requirement("LCK-08"), arguments: ["0", "1"])
    func `is never below the least, however little time the environment states`(
        milliseconds: String
    ) throws {
        let stated = try UnlockTime.stretchingCost(
            TestHome().environment([UnlockTime.variable: milliseconds])
        )
        #expect(stated() == .minimum)
    }

    @Test(arguments: ["-1", "10001", "half", "0x10", "99999999999999999999"])
    func `is not guessed from a time that is none`(text: String) throws {
        let environment = try TestHome().environment([UnlockTime.variable: text])
        #expect {
            _ = try UnlockTime.stretchingCost(environment)
        } throws: { error in
            (error as? KeychainError)?.status == .param && "\(error)".contains(text)
        }
    }

    @Test(.requirement("LCK-08"))
    func `is measured by a clock that stands still while others work`() throws {
        let others = DispatchSemaphore(value: 0)
        let before = ThreadClock.now()
        let start = ContinuousClock.now
        Thread.detachNewThread {
            while ThreadClock.now() < .milliseconds(60) {}
            others.signal()
        }
        others.wait()
        let passed = ContinuousClock.now - start
        #expect(passed >= .milliseconds(60))
        #expect(ThreadClock.now() - before < .milliseconds(30))
    }

    @Test(.requirement("LCK-08"))
    func `is measured by a clock that counts this thread's work`() throws {
        let before = ThreadClock.now()
        _ = try work(Argon2id.Cost(memoryKiB: 8 * 1024, passes: 1, lanes: 1))
        #expect(ThreadClock.now() > before)
    }
}
