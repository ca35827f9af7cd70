// ★ Table: a row for each verb; see `RequestFacts`.
//
// SECURITY.md shows it, and a test compares them.

extension ItemVerb {
    package var facts: RequestFacts {
        switch self {
        case .find:
            .init(.anyProgram, .accessControl, .nothing, line: .soon, "groups decide who reads")
        case .list:
            .init(.anyProgram, .none, .nothing, line: .soon, "it opens nothing that is gated")
        case .add: .init(.anyProgram, .none, .items, "groups decide who stores")
        case .update:
            .init(.anyProgram, .accessControl, .items, "whoever may read may store again")
        case .delete: .init(.anyProgram, .none, .items, "it reveals nothing; Apple asks nobody")
        case .setAccessControl:
            .init(.anyProgram, .accessControl, .items, weakens: true, "what it replaces is proven")
        }
    }
}

extension KeyVerb {
    package var facts: RequestFacts {
        switch self {
        case .makeKey: .init(.anyProgram, .none, .keys, "it opens nothing")
        case .checkKey: .init(.anyProgram, .none, .nothing, line: .never, "it opens nothing")
        case .useKey: .init(.anyProgram, .accessControl, .nothing, "the key says what it takes")
        case .makeFile: .init(.anyProgram, .none, .keys, "it opens nothing")
        case .openFile:
            .init(.anyProgram, .none, .nothing, line: .soon, "groups decide who reads")
        case .moveFile: .init(.anyProgram, .none, .keys, "whoever may read may store again")
        case .checkFile: .init(.anyProgram, .none, .nothing, line: .never, "it opens nothing")
        }
    }
}

extension ContextVerb {
    package var facts: RequestFacts {
        switch self {
        case .authenticate: .init(.anyProgram, .accessControl, .session, "it is the proof")
        case .canAuthenticate:
            .init(.anyProgram, .none, .nothing, line: .never, "it asks nobody")
        case .biometryStatus:
            .init(.anyProgram, .none, .nothing, line: .never, "it names no finger")
        case .end:
            .init(.anyProgram, .none, .session, line: .never, "it takes a proof away")
        }
    }
}

extension DeviceVerb {
    package var facts: RequestFacts {
        switch self {
        case .status: .init(.anyProgram, .none, .nothing, line: .never, "it names no item")
        case .lock: .init(.anyProgram, .none, .session, "it closes")
        case .unlock:
            .init(
                .anyProgram,
                .passcodeInRequest(unless: .noPasscode),
                .session,
                weakens: true,
                unlocks: true,
                "it opens every group"
            )
        case .setLockSettings:
            .init(
                .anyProgram,
                .passcodeInSession(unless: .notWeaker),
                .settings,
                weakens: true,
                "it may keep the keychain open"
            )
        case .setPasscode:
            .init(
                .anyProgram,
                .passcodeInRequest(unless: .noPasscode),
                .passcode,
                weakens: true,
                unlocks: true,
                "the new one may be known to others"
            )
        case .removePasscode:
            .init(
                .anyProgram,
                .passcodeInRequest(unless: nil),
                .passcode,
                weakens: true,
                unlocks: true,
                "nothing locks afterwards"
            )
        }
    }
}

extension MaintenanceVerb {
    package var facts: RequestFacts {
        switch self {
        case .check: .init(.command, .none, .nothing, "it names what is damaged, no value")
        case .goOn:
            .init(.command, .none, .nothing, line: .never, "the work began with its proof")
        case .stop: .init(.command, .none, .nothing, line: .never, "it ends work")
        case .programGroup:
            .init(.command, .none, .nothing, line: .never, "the caller hands in the records")
        case .backup:
            .init(
                .command,
                .passcodeInSession(unless: nil),
                .nothing,
                weakens: true,
                "it takes out the items of every group"
            )
        case .restore:
            .init(
                .command,
                .passcodeInSession(unless: nil),
                .items,
                weakens: true,
                "it puts items into every group"
            )
        case .passcodeLosses:
            .init(
                .command,
                .passcodeInSession(unless: nil),
                .nothing,
                weakens: true,
                "it names items of every group"
            )
        case .acceptRows:
            .init(
                .command,
                .passcodeInSession(unless: nil),
                .rows,
                weakens: true,
                "it hides that rows were changed"
            )
        }
    }
}

extension SynchronizationVerb {
    private static let proof = RequestFacts.Proof.passcodeInSession(unless: .circleKept)

    package var facts: RequestFacts {
        switch self {
        case .mark: .init(.synchronizer, .none, .nothing, line: .refusals, "it is a number")
        case .verify:
            .init(.synchronizer, .none, .nothing, line: .refusals, "the caller hands in the items")
        case .records:
            .init(.synchronizer, .none, .nothing, line: .refusals, "they are sealed")
        case .read:
            .init(
                .synchronizer,
                Self.proof,
                .nothing,
                weakens: true,
                "it takes out the items of every group"
            )
        case .contents:
            .init(
                .synchronizer,
                Self.proof,
                .nothing,
                weakens: true,
                "it takes out the items of every group"
            )
        case .apply:
            .init(
                .synchronizer,
                Self.proof,
                .circle,
                weakens: true,
                "it puts items into every group"
            )
        case .forget:
            .init(.synchronizer, Self.proof, .circle, weakens: true, "it leaves the circle")
        }
    }
}

extension DaemonVerb {
    package var facts: RequestFacts {
        switch self {
        case .describeCaller:
            .init(.anyProgram, .none, .nothing, line: .never, "it is about the program itself")
        case .grants:
            .init(.command, .none, .nothing, line: .refusals, "it names programs and groups")
        case .grant:
            .init(
                .command,
                .passcodeInRequest(unless: nil),
                .grants,
                weakens: true,
                "it opens a group to a program"
            )
        case .revoke:
            .init(
                .command,
                .passcodeInRequest(unless: nil),
                .grants,
                "it keeps a program from its work"
            )
        case .log: .init(.command, .none, .nothing, line: .refusals, "it names no item")
        case .verifyLog: .init(.command, .none, .nothing, line: .refusals, "it names no item")
        case .showPrompts:
            .init(.agent, .none, .session, line: .refusals, "the agent sees passcodes")
        case .simulate:
            .init(.nobody, .none, .nothing, line: .refusals, "a daemon is no simulated device")
        }
    }
}

extension MoveVerb {
    package var facts: RequestFacts {
        switch self {
        case .askAdoption:
            .init(.command, .none, .nothing, line: .refusals, "it tells a number of items")
        case .beginAdoption:
            .init(
                .command,
                .passcodeInRequest(unless: .neverTouched),
                .nothing,
                weakens: true,
                "the maker of the other keychain reads what it gets"
            )
        case .file:
            .init(.command, .none, .nothing, line: .refusals, "the copy is not in use")
        case .checkAdoption:
            .init(.command, .none, .nothing, line: .refusals, "the copy is not in use")
        case .finishAdoption:
            .init(.command, .none, .keychain, weakens: true, "the move began with its proof")
        case .beginRelease:
            .init(
                .command,
                .passcodeInRequest(unless: nil),
                .session,
                weakens: true,
                "every program can read what is outside"
            )
        case .read: .init(.command, .none, .nothing, line: .refusals, "the release began with it")
        case .finishRelease:
            .init(.command, .none, .keychain, weakens: true, "the release began with its proof")
        case .discard:
            .init(
                .command,
                .passcodeInRequest(unless: .neverTouched),
                .nothing,
                weakens: true,
                "the copy may be the only one"
            )
        case .abandon:
            .init(.command, .none, .nothing, line: .never, "the keychain in use stays")
        }
    }
}
