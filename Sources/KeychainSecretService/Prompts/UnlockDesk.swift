import Dispatch
import Glibc
import KeychainMessages
import KeychainModel
import KeychainPrompts
import Secrets

@_implementationOnly import CProcess

// Invariants   (1) One dialog is visible at a time; the others wait in the order of their clients.
//              (2) Typed text is sent to the keychain and wiped.
//              (3) The end of each dialog wakes the loop, which never waits for one.

/// A desk that unlocks the keychain with the user, away from the thread that serves the bus.
package final class UnlockDesk: Sendable {
    private struct Dialog {
        let number: UInt64
        let program: String
        /// Whether the dialog is about the shared collection, not the passcode.
        let isGrant: Bool
    }

    /// The dialogs, and their results.
    private struct State {
        var waiting: [Dialog] = []
        var shown: UInt64?
        var ended: [(number: UInt64, isUnlocked: Bool)] = []
    }

    /// Asks a yes-or-no question while the answer is wanted.
    package typealias Question =
        @Sendable (
            _ lines: [String],
            _ isWanted: @escaping @Sendable () -> Bool
        ) -> Bool

    private static let attempts = 3
    private static let patience = Duration.seconds(120)

    private let state = AdaptiveMutex(State())
    private let endpoint: any Endpoint
    private let prompter: any Prompter
    private let asks: Question
    /// A descriptor that becomes readable after the end of a dialog.
    package let wakeDescriptor: Int32
    private let wakingEnd: Int32

    /// Makes a desk.
    ///
    /// - Throws: `errSecAllocate` if no pipe can be made.
    package init(
        _ endpoint: any Endpoint,
        _ prompter: any Prompter,
        asks: @escaping Question = { _, _ in false }
    ) throws(KeychainError) {
        var ends: [Int32] = [0, 0]
        guard process_waking_pipe(&ends) == 0 else {
            throw KeychainError(.allocate, "there is no pipe: \(errno)")
        }
        (wakeDescriptor, wakingEnd) = (ends[0], ends[1])
        self.endpoint = endpoint
        self.prompter = prompter
        self.asks = asks
    }

    deinit {
        close(wakeDescriptor)
        close(wakingEnd)
    }

    /// Shows a dialog for a program, now or after the dialog before has ended.
    package func show(_ number: UInt64, for program: String) {
        add(Dialog(number: number, program: program, isGrant: false))
    }

    /// Asks in the same order whether a program may use the shared collection.
    package func ask(_ number: UInt64, for program: String) {
        add(Dialog(number: number, program: program, isGrant: true))
    }

    private func add(_ dialog: Dialog) {
        state.withLock { $0.waiting.append(dialog) }
        startNext()
    }

    /// Closes a dialog.
    package func dismiss(_ number: UInt64) {
        state.withLock { state in
            state.waiting.removeAll { $0.number == number }
            if state.shown == number { state.shown = 0 }
        }
    }

    /// Returns the dialogs that have ended since the last call.
    package func takeEnded() -> [(number: UInt64, isUnlocked: Bool)] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeDescriptor, &bytes, bytes.count) > 0 {}
        return state.withLock { state in
            defer { state.ended = [] }
            return state.ended
        }
    }

    private func startNext() {
        let next: Dialog? = state.withLock { state in
            guard state.shown == nil, !state.waiting.isEmpty else { return nil }
            let next = state.waiting.removeFirst()
            state.shown = next.number
            return next
        }
        guard let next else { return }
        DispatchQueue.global().async { self.serve(next) }
    }

    private func serve(_ dialog: Dialog) {
        let hasAgreed =
            dialog.isGrant
            ? isGranted(dialog.number, dialog.program) : unlock(dialog.number, dialog.program)
        state.withLock { state in
            state.ended.append((dialog.number, hasAgreed))
            state.shown = nil
            guard hasAgreed, !dialog.isGrant else { return }
            state.ended += state.waiting.filter { !$0.isGrant }.map { ($0.number, true) }
            state.waiting.removeAll { !$0.isGrant }
        }
        var byte: UInt8 = 1
        _ = write(wakingEnd, &byte, 1)
        startNext()
    }

    /// Returns a function that reports whether the answer to a dialog is still wanted.
    private func interest(in number: UInt64) -> @Sendable () -> Bool {
        let end = ContinuousClock().now + Self.patience
        return { [self] in
            state.withLock { $0.shown } == number && ContinuousClock().now < end
        }
    }

    /// Whether the user permits the program to use the shared collection.
    private func isGranted(_ number: UInt64, _ program: String) -> Bool {
        let isWanted = interest(in: number)
        let lines = [
            "Allow \(ProgramName.shown(program)) to read and change every item of the collection"
                + " Login?",
            "Programs that were allowed share it; keychainctl keeps its items there.",
        ]
        return asks(lines, isWanted) && isWanted()
    }

    /// Unlocks the keychain; returns whether it is unlocked now.
    private func unlock(_ number: UInt64, _ program: String) -> Bool {
        let isWanted = interest(in: number)
        let need = "\(ProgramName.shown(program)) needs a password of the keychain"
        var reason = need
        for _ in 1...Self.attempts where isWanted() {
            let answer = prompter.answer(Prompt(.passcode, reason: reason), while: isWanted)
            guard case .typed(let passcode) = answer, isWanted() else { return false }
            do throws(KeychainError) {
                _ = try endpoint.send(DeviceRequest.unlock(passcode: passcode))
                return true
            } catch {
                reason = "\(need); \(error.reason)"
            }
        }
        return false
    }
}
