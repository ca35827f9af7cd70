import TestSupport
import Testing

@testable import DataProtection

/// One line of a transcript: what happens when, and what the state and the effects then are.
struct Step: Sendable {
    let event: DeviceEvent
    let second: Int
    let state: String
    let effects: [String]

    init(_ second: Int, _ event: DeviceEvent, _ state: String, _ effects: String...) {
        self.event = event
        self.second = second
        self.state = state
        self.effects = effects
    }
}

/// A named sequence of steps, starting at a device that has just booted.
struct Transcript: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isPasscodeSet: Bool
    let steps: [Step]

    init(_ name: String, passcode isPasscodeSet: Bool = true, _ steps: [Step]) {
        self.testDescription = name
        self.isPasscodeSet = isPasscodeSet
        self.steps = steps
    }
}

extension DeviceState {
    /// The user's view, with `+data` while the keys for "while unlocked" are in memory.
    fileprivate var summary: String {
        let name =
            switch lockState {
            case .beforeFirstUnlock: "BFU"
            case .locked: "locked"
            case .unlocked: "unlocked"
            }
        return isProtectedDataAvailable ? name + "+data" : name
    }
}

extension DeviceEffect {
    fileprivate var summary: String {
        switch self {
        case .evictWhenUnlocked: "evict A"
        case .evictAll: "evict all"
        case .schedule(let deadline): "schedule \(deadline.uptime.components.seconds)"
        case .announce(.protectedDataWillBecomeUnavailable): "will"
        case .announce(.protectedDataDidBecomeAvailable): "did"
        }
    }
}

private let tenSeconds = Duration.seconds(10)

private let transcripts: [Transcript] = [
    Transcript(
        "first unlock, lock, unlock",
        [
            Step(1, .unlocked, "unlocked+data", "did"),
            Step(2, .lock(grace: .zero), "locked", "will", "evict A"),
            Step(3, .unlocked, "unlocked+data", "did"),
        ]
    ),
    Transcript(
        "locking before first unlock changes nothing",
        [
            Step(1, .lock(grace: .zero), "BFU"),
            Step(2, .lock(grace: tenSeconds), "BFU"),
            Step(20, .timePassed, "BFU"),
        ]
    ),
    Transcript(
        "the grace period ends with the eviction",
        [
            Step(0, .unlocked, "unlocked+data", "did"),
            Step(100, .lock(grace: tenSeconds), "locked+data", "will", "schedule 110"),
            Step(109, .timePassed, "locked+data"),
            Step(110, .timePassed, "locked", "evict A"),
            Step(111, .timePassed, "locked"),
        ]
    ),
    Transcript(
        "unlocking during the grace cancels the eviction",
        [
            Step(0, .unlocked, "unlocked+data", "did"),
            Step(100, .lock(grace: tenSeconds), "locked+data", "will", "schedule 110"),
            Step(105, .unlocked, "unlocked+data", "did"),
            Step(120, .timePassed, "unlocked+data"),
        ]
    ),
    Transcript(
        "locking again never moves the deadline away",
        [
            Step(0, .unlocked, "unlocked+data", "did"),
            Step(100, .lock(grace: tenSeconds), "locked+data", "will", "schedule 110"),
            Step(105, .lock(grace: tenSeconds), "locked+data", "schedule 110"),
            Step(106, .lock(grace: .seconds(1)), "locked+data", "schedule 107"),
            Step(106, .lock(grace: .zero), "locked", "evict A"),
        ]
    ),
    Transcript(
        "a reboot from any state is before first unlock",
        [
            Step(0, .reboot, "BFU", "evict all"),
            Step(1, .unlocked, "unlocked+data", "did"),
            Step(2, .reboot, "BFU", "will", "evict all"),
            Step(3, .unlocked, "unlocked+data", "did"),
            Step(4, .lock(grace: tenSeconds), "locked+data", "will", "schedule 14"),
            Step(5, .reboot, "BFU", "evict all"),
            Step(14, .timePassed, "BFU"),
        ]
    ),
    Transcript(
        "without a passcode only setting one matters",
        passcode: false,
        [
            Step(1, .lock(grace: .zero), "unlocked+data"),
            Step(2, .reboot, "unlocked+data"),
            Step(3, .unlocked, "unlocked+data"),
            Step(4, .passcodeSet, "unlocked+data"),
            Step(5, .lock(grace: .zero), "locked", "will", "evict A"),
        ]
    ),
    Transcript(
        "removing the passcode unlocks for good",
        [
            Step(1, .passcodeRemoved, "unlocked+data", "did"),
            Step(2, .lock(grace: .zero), "unlocked+data"),
            Step(3, .reboot, "unlocked+data"),
        ]
    ),
    Transcript(
        "a session of another process is taken over",
        [
            Step(1, .sessionResumed(.unlocked, evictionDeadline: nil), "unlocked+data", "did"),
            Step(
                2,
                .sessionResumed(.locked, evictionDeadline: instant(9)),
                "locked+data",
                "will",
                "schedule 9"
            ),
            Step(9, .timePassed, "locked", "evict A"),
            Step(10, .sessionResumed(.locked, evictionDeadline: nil), "locked", "evict A"),
            Step(
                11,
                .sessionResumed(.beforeFirstUnlock, evictionDeadline: nil),
                "BFU",
                "evict all"
            ),
        ]
    ),
]

@Suite struct `The device state machine` {
    @Test(
        .requirement("ACC-20", "ACC-21", "ACC-22", "ACC-23", "ACC-31"),
        arguments: transcripts
    )
    func `follows its transcript`(transcript: Transcript) {
        var state = DeviceState(isPasscodeSet: transcript.isPasscodeSet)
        for step in transcript.steps {
            let effects = state.handle(step.event, at: instant(step.second))
            #expect(state.summary == step.state, "\(step)")
            #expect(effects.map(\.summary) == step.effects, "\(step)")
        }
    }

    @Test(.requirement("ACC-31"), arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `announces loss and return in turns, whatever happens`(seed: UInt64) {
        var numbers = seed
        var state = DeviceState(isPasscodeSet: true)
        var last = DeviceAnnouncement.protectedDataWillBecomeUnavailable
        for second in 0..<200 {
            numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let events: [DeviceEvent] = [
                .lock(grace: .zero), .lock(grace: tenSeconds), .unlocked, .timePassed, .reboot,
            ]
            let event = events[Int(numbers >> 33) % events.count]
            for case .announce(let next) in state.handle(event, at: instant(second)) {
                #expect(next != last, "seed \(seed), second \(second)")
                last = next
            }
            let isUnlocked = last == .protectedDataDidBecomeAvailable
            #expect((state.lockState == .unlocked) == isUnlocked, "seed \(seed)")
        }
    }
}
