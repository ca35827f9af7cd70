import Foundation

// Definitions  "verified": the keychain returned exactly the bytes of the old store.
// Invariants   (1) The old store's copy is deleted only after the journal says verified.
//              (2) A different value in the keychain is overwritten only if the policy says so.
//              (3) An empty old store counts only while it is trusted.
//              (4) A dry run issues only commands that read.

/// A state machine that decides the next action for one value.
///
/// It never sees the value.
struct MoveMachine: Sendable {
    /// An event, which the machine handles.
    enum Event: Hashable, Sendable {
        case begin
        case legacyFound
        case legacyAbsent(SourceTrust)
        case target(TargetState)
        case noted
        case written
        case readBack(isEqual: Bool)
        case sealed
        case deleted
        case failed(MigrationProblem)
    }

    /// The content of the keychain at the target.
    enum TargetState: Hashable, Sendable {
        case absent
        /// The same value; `isStale` if attributes or accessibility still have to change.
        case same(isStale: Bool)
        case different
    }

    /// A command, which the caller performs.
    enum Command: Hashable, Sendable {
        case readLegacy
        case compareTarget
        case note(JournalEntry.Stage)
        case write(Write)
        case readBack
        case seal
        case deleteLegacy
        case finish(MoveOutcome)
    }

    /// The ways to write to the keychain.
    enum Write: Hashable, Sendable {
        case add
        case refreshAttributes
        case replaceValue
    }

    private enum State: Hashable, Sendable {
        case start, reading, looking, comparing
        case announcing(Write)
        case writing, verifying, confirming, sealing, keeping, deleting
        case closing(MoveOutcome)
        case finished
    }

    private var state = State.start
    private let stage: JournalEntry.Stage?
    private let conflict: ConflictPolicy
    private let retention: LegacyRetention
    private let isDryRun: Bool

    init(
        stage: JournalEntry.Stage?,
        conflict: ConflictPolicy,
        retention: LegacyRetention,
        isDryRun: Bool
    ) {
        self.stage = stage
        self.conflict = conflict
        self.retention = retention
        self.isDryRun = isDryRun
    }

    /// Handles an event, and returns the next command.
    mutating func handle(_ event: Event) -> Command {
        if case .failed(let problem) = event { return finish(outcome(of: problem)) }
        switch (state, event) {
        case (.start, .begin): return go(.reading, .readLegacy)
        case (.reading, .legacyFound): return go(.comparing, .compareTarget)
        case (.reading, .legacyAbsent(.untrusted(let reason))): return finish(.deferred(reason))
        case (.reading, .legacyAbsent(.trusted)): return go(.looking, .compareTarget)
        case (.looking, .target(let target)): return conclude(target)
        case (.comparing, .target(let target)): return decide(target)
        case (.announcing(let write), .noted): return go(.writing, .write(write))
        case (.writing, .written): return go(.verifying, .readBack)
        case (.verifying, .readBack(true)): return go(.confirming, .note(.verified))
        case (.verifying, .readBack(false)): return finish(.failed(.verificationMismatch))
        case (.confirming, .noted): return release()
        case (.keeping, .noted): return finish(.movedKeepingOriginal)
        case (.sealing, .sealed): return go(.deleting, .deleteLegacy)
        case (.deleting, .deleted): return go(.closing(.moved), .note(.done))
        case (.closing(let outcome), .noted): return finish(outcome)
        default: return finish(.failed(.transformation("\(event) does not follow \(state)")))
        }
    }

    /// Handles an old store that is empty and trusted.
    private mutating func conclude(_ target: TargetState) -> Command {
        guard target == .absent else {
            let isUnfinished = stage == .writing || stage == .verified
            return isUnfinished && !isDryRun
                ? go(.closing(.alreadyThere), .note(.done)) : finish(.alreadyThere)
        }
        switch stage {
        // A loss is reported once. It is none if the user has signed out since, and no longer needs
        // the value.
        case .verified, .kept:
            return isDryRun ? finish(.lost) : go(.closing(.lost), .note(.reported))
        case .done, .reported, .writing, nil: return finish(.nothingThere)
        }
    }

    /// Handles an old store that has a value.
    private mutating func decide(_ target: TargetState) -> Command {
        if stage == .kept, target != .absent { return finish(.movedKeepingOriginal) }
        switch target {
        case .absent: return announce(.add, "move")
        case .same(isStale: true): return announce(.refreshAttributes, "move")
        case .same(isStale: false): return resume()
        case .different: return settle()
        }
    }

    private mutating func settle() -> Command {
        switch conflict {
        case .report: return finish(.conflict)
        case .replaceStored: return announce(.replaceValue, "replace the keychain's value")
        case .keepStored:
            guard !isDryRun else {
                return finish(.planned("delete, because the keychain's value wins"))
            }
            return go(.confirming, .note(.verified))
        }
    }

    /// Handles a value in both places: it is not written again, but everything after that is done.
    private mutating func resume() -> Command {
        guard !isDryRun else { return finish(.planned("move")) }
        return go(.verifying, .readBack)
    }

    private mutating func announce(_ write: Write, _ action: String) -> Command {
        guard !isDryRun else { return finish(.planned(action)) }
        return go(.announcing(write), .note(.writing))
    }

    /// Decides about the old copy after the new one is verified.
    private mutating func release() -> Command {
        switch retention {
        case .deleteAfterVerify: go(.deleting, .deleteLegacy)
        case .encryptedRollback: go(.sealing, .seal)
        case .keepPlaintext: go(.keeping, .note(.kept))
        }
    }

    private func outcome(of problem: MigrationProblem) -> MoveOutcome {
        problem.isLocked ? .deferred("the keychain is locked") : .failed(problem)
    }

    private mutating func go(_ next: State, _ command: Command) -> Command {
        state = next
        return command
    }

    private mutating func finish(_ outcome: MoveOutcome) -> Command {
        go(.finished, .finish(outcome))
    }
}
