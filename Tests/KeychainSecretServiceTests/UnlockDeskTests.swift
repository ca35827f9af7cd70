import Foundation
import Glibc
import KeychainMessages
import KeychainModel
import KeychainSecretService
import Secrets
import Testing

/// Types the same passcode each time, or waits until nobody wants the answer.
private final class TypingPrompter: Prompter {
    private let passcode: String?
    private let reasons = AdaptiveMutex<[String]>([])

    init(_ passcode: String?) { self.passcode = passcode }

    var shown: [String] { reasons.withLock { $0 } }

    func answer(_ prompt: Prompt) -> PromptAnswer { answer(prompt, while: { true }) }

    func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        reasons.withLock { $0.append(prompt.reason ?? "") }
        guard let passcode else {
            while isWanted() { sched_yield() }
            return .nothing
        }
        return .typed(StoreBench.secret(passcode))
    }
}

@Suite struct `A dialog that unlocks` {
    /// Waits for the end of so many dialogs.
    private func ends(_ count: Int, of desk: UnlockDesk) -> [String] {
        var ended: [String] = []
        while ended.count < count {
            var polled = pollfd(fd: desk.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 20_000) == 1 else { return ended }
            ended += desk.takeEnded().map { "\($0.number) \($0.isUnlocked)" }
        }
        return ended
    }

    private func locked() throws -> StoreBench {
        let bench = try StoreBench(hasPasscode: true)
        _ = try bench.store.lock()
        return bench
    }

    @Test func `unlocks with the right passcode, and names the program`() throws {
        let bench = try locked()
        let prompter = TypingPrompter(StoreBench.passcode)
        let desk = try UnlockDesk(bench.keychain.endpoint, prompter)
        desk.show(4, for: "/usr/bin/mail")
        #expect(ends(1, of: desk) == ["4 true"])
        #expect(try !bench.store.isLocked)
        #expect(prompter.shown.first?.contains("/usr/bin/mail") == true)
    }

    @Test func `gives up after three wrong passcodes`() throws {
        let bench = try locked()
        let prompter = TypingPrompter("wrong")
        let desk = try UnlockDesk(bench.keychain.endpoint, prompter)
        desk.show(4, for: "x")
        #expect(ends(1, of: desk) == ["4 false"])
        #expect(prompter.shown.count == 3)
        #expect(try bench.store.isLocked)
    }

    @Test func `disappears when it is dismissed, and the next one appears`() throws {
        let bench = try locked()
        let desk = try UnlockDesk(bench.keychain.endpoint, TypingPrompter(nil))
        desk.show(1, for: "x")
        desk.show(2, for: "x")
        desk.dismiss(1)
        #expect(ends(1, of: desk) == ["1 false"])
        desk.dismiss(2)
        #expect(ends(1, of: desk).count <= 1)
    }

    @Test(.requirement("SSV-05"), arguments: [true, false])
    func `asks whether a program may share, and names it`(agrees: Bool) throws {
        let bench = try locked()
        let shown = AdaptiveMutex<[String]>([])
        let desk = try UnlockDesk(bench.keychain.endpoint, TypingPrompter(StoreBench.passcode)) {
            lines,
            _ in
            shown.withLock { $0 += lines }
            return agrees
        }
        desk.ask(4, for: "/usr/bin/mail")
        #expect(ends(1, of: desk) == ["4 \(agrees)"])
        #expect(shown.withLock { $0 }.first?.contains("/usr/bin/mail") == true)
        #expect(try bench.store.isLocked)
    }

    @Test func `answers those that wait behind it`() throws {
        let bench = try locked()
        let desk = try UnlockDesk(bench.keychain.endpoint, TypingPrompter(StoreBench.passcode))
        ([1, 2, 3] as [UInt64]).forEach { desk.show($0, for: "x") }
        #expect(Set(ends(3, of: desk)) == ["1 true", "2 true", "3 true"])
    }
}
