import Foundation
import KeychainModel
import Synchronization

/// The screen of a simulated device.
///
/// It shows one prompt at a time, which the script or the person in front of the device answers.
///
/// - Source: requirement SIM-14.
final class PromptScreen: Sendable {
    private struct State {
        var script: [PromptResponse] = []
        var records: [PromptRecord] = []
    }

    private let state = Mutex(State())
    /// The lock that is held while a prompt is visible.
    ///
    /// Another thread's prompt waits for it. A prompt that an event of this prompt causes appears
    /// above it.
    private let turn = NSRecursiveLock()

    var records: [PromptRecord] { state.withLock { $0.records } }

    func removeRecords() { state.withLock { $0.records = [] } }

    func append(_ responses: [PromptResponse]) { state.withLock { $0.script += responses } }

    func show(_ prompt: Prompt, of app: String, on device: SimulatedDevice) -> PromptAnswer {
        turn.withLock {
            let kind = PromptRecord.Kind(prompt.kind)
            let scripted = state.withLock { $0.script.isEmpty ? nil : $0.script.removeFirst() }
            let response = scripted ?? device.user.response(to: kind)
            if case .after(let event, _) = response { event(device) }
            let (answer, logged) = response.possible(at: prompt).answer
            let record = PromptRecord(
                kind: kind,
                reason: prompt.reason,
                offersFallback: prompt.offersFallback,
                fallbackTitle: prompt.fallbackTitle,
                app: app,
                answer: logged
            )
            state.withLock { $0.records.append(record) }
            return answer
        }
    }
}

/// The prompter that shows an app's prompts on its device's screen.
struct SimulatedPrompter: Prompter {
    let device: SimulatedDevice
    let app: String

    func answer(_ prompt: Prompt) -> PromptAnswer {
        device.screen.show(prompt, of: app, on: device)
    }
}

extension SimulatedDevice {
    /// The prompts that the device showed so far, oldest first.
    public var prompts: [PromptRecord] { screen.records }

    /// Removes the records of the prompts so far.
    public func removePrompts() { screen.removeRecords() }

    /// Queues responses to the next prompts; after them, ``user`` answers again.
    ///
    /// ```swift
    /// phone.script(.present("stranger"), .cancel)
    /// ```
    public func script(_ responses: PromptResponse...) { screen.append(responses) }
}
