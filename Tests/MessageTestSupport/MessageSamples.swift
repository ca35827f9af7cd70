import KeychainMessages
import KeychainModel
import Secrets

/// A message of each case, with everything in it that may be there.
package enum MessageSamples {
    static let secret = SharedSecret(Secret(copying: [1, 2, 3]))
    private static let control = AccessControl(protection: .whenUnlocked, flags: .userPresence)
    package static let context = ContextReference(
        session: SessionID(),
        forbidsInteraction: true,
        reuse: .seconds(10),
        reason: "reason",
        fallbackTitle: "another way",
        applicationPassword: secret,
        isInvalidated: true
    )
    private static let handle = ElementKeyHandle(
        protection: .whenUnlockedThisDeviceOnly,
        accessControl: AccessControl(
            protection: .whenUnlockedThisDeviceOnly,
            flags: [.userPresence, .privateKeyUsage]
        ),
        publicPoint: [4] + [UInt8](repeating: 9, count: ElementKeyHandle.pointByteCount - 1),
        keySet: [UInt8](repeating: 7, count: ElementKeyHandle.keySetByteCount),
        sealedPrivateHalf: [5]
    )
    package static let error = KeychainError(.userCancel)
    package static let challenge = Challenge(
        factor: .passcode,
        prompt: Prompt(.passcode, reason: "reason", offersFallback: true, fallbackTitle: "title"),
        lockCount: 1
    )

    package static var dictionary: AttributeDictionary {
        var dictionary: AttributeDictionary = [
            "text": .string("text"), "data": .data([1]), "number": .number(1), "real": .real(1),
            "flag": .bool(true), "date": .date(1), "secret": .secret(secret),
            "control": .accessControl(control), "list": .array([.null]),
            "context": .authentication(context), "other": .unsupported(typeName: "Thing"),
        ]
        dictionary.publicKeyHash = [1]
        dictionary.foreignKeyCount = 2
        return dictionary
    }

    package static let items: [ItemRequest] = [
        .add(dictionary),
        .copyMatching(dictionary),
        .list(dictionary),
        .update(dictionary, with: dictionary),
        .delete(dictionary),
        .addAll([dictionary], duplicates: .refused),
        .replaceAccessControl(dictionary, flags: .userPresence, protection: .whenUnlocked),
    ]

    private static var terms: AuthenticationTerms {
        var terms = AuthenticationTerms(context: context)
        terms.reason = "reason"
        terms.interface = .skip
        return terms
    }

    package static let elementKeys: [ElementKeyRequest] = [
        .make(dictionary, isPermanent: true, publicHalf: dictionary),
        .check(handle),
        .use(handle, algorithm: "algorithm", .sign([1]), terms),
        .use(handle, algorithm: "algorithm", .decrypt([1]), terms),
        .use(
            handle,
            algorithm: "algorithm",
            .agree(publicPoint: [4], byteCount: 32, sharedInfo: [5]),
            terms
        ),
    ]

    package static let authentications: [AuthenticationRequest] = [
        .evaluate(.factor(.biometry), context),
        .canEvaluate(
            .all([.any([.factor(.biometry), .factor(.passcode)]), .factor(.companion)]),
            context
        ),
        .biometryStatus,
        .end(context.session),
    ]

    package static let device: [DeviceRequest] = [
        .status,
        .lock,
        .unlock(passcode: secret),
        .setPasscode(secret, current: secret),
        .removePasscode(current: secret),
        .setLockSettings(
            LockSettings(idleSeconds: 1, minuteOfDay: 2, onSleep: true, onLogout: true)
        ),
        .setLockSettings(LockSettings()),
    ]

    package static let works: [MaintenanceWork] = [
        .backup(password: secret), .restore(password: secret), .check(.everything),
        .passcodeLosses,
    ]

    private static let program = ProgramGroupQuery(
        ProgramFile(path: "/bin/program", identity: [1]),
        declared: "group",
        otherwise: "program",
        records: [1]
    )

    package static let maintenance: [MaintenanceRequest] =
        [
            .next(WorkID()),
            .give(WorkID(), [1]),
            .stop(WorkID()),
            .acceptRows,
            .programGroup(program),
        ] + works.map(MaintenanceRequest.begin)

    package static let answers: [PromptAnswer] = [
        .presented([1]), .typed(secret), .approved, .fallback, .canceled, .interrupted, .nothing,
        .impossible,
    ]
}

// What is answered.
extension MessageSamples {
    private static let item = ReferencedItem(
        itemClass: .identity,
        attributes: [.label: .string("label")],
        data: secret,
        certificate: secret
    )

    private static var itemDictionary: ItemDictionary {
        var dictionary = ItemDictionary()
        dictionary.attributes = [.label: .string("label")]
        dictionary.data = secret
        dictionary.persistentReference = [1]
        dictionary.itemClass = .identity
        dictionary.reference = item
        return dictionary
    }

    package static let results: [ItemResult] = [
        .nothing, .data(secret), .persistentReference([1]), .dictionary(itemDictionary),
        .reference(item), .array([.nothing]),
    ]

    private static var listing: Listing {
        var listing = Listing()
        listing.items = [itemDictionary]
        listing.outOfReach = [
            OutOfReachItem(
                .genericPassword,
                .accessControl,
                attributes: [.label: .string("label")],
                persistentReference: [1],
                error: error
            )
        ]
        return listing
    }

    package static let itemReplies: [ItemReply] =
        [
            .done, .earlierValueStays, .listing(listing), .results(results),
        ] + results.map(ItemReply.result)

    package static let elementKeyReplies: [ElementKeyReply] = [
        .made(handle), .known, .bytes(secret),
    ]

    package static let authenticationReplies: [AuthenticationReply] = [
        .done,
        .biometry(
            BiometryStatus(
                kind: .faceID,
                enrolmentState: [1],
                isLockedOut: false,
                companionState: [2],
                combinedState: [3]
            )
        ),
    ]

    private static let status = DeviceStatus(
        lockState: .locked,
        isProtectedDataAvailable: false,
        isPasscodeSet: true,
        failedAttempts: 1,
        delaySeconds: 2,
        secureElement: "software",
        location: "/keychain.db",
        accessGroups: ["group"],
        defaultAccessGroup: "group",
        itemCounts: [.key: 1],
        memoryIsLocked: true,
        guessCost: .init(memoryKiB: 1, passes: 2),
        lockSettings: LockSettings(idleSeconds: 3, minuteOfDay: 0)
    )

    package static let deviceReplies: [DeviceReply] = [
        .status(status),
        .changed(warnings: [
            error, KeychainError(.decode, "reason", cause: .damagedStore("page 2")),
        ]),
    ]

    private static var faults: [CheckFault] {
        var row = UnreadableRow(.key, row: 1, .value)
        row.attributes = [.label: .string("label")]
        return [
            .row(row), .metadataKey(.whenUnlocked), .groupName("ff"), .database("sentence"),
            .rowSum(found: 1, written: 2), .rowSum(found: nil, written: nil),
        ]
    }

    private static var backup: BackupReport {
        var report = BackupReport()
        report.itemCount = 1
        report.omissions = [.token: 2, .passcode: 3]
        report.deviceBoundCount = 4
        report.stayingCounts = [.key: 5, .genericPassword: 6]
        return report
    }

    private static var restore: RestoreReport {
        var report = RestoreReport()
        report.restoredCount = 1
        report.foreignCount = 2
        report.deletedCount = 3
        report.conflicts = [
            .init(itemClass: "class", accessGroup: "group", name: "name", isReplaced: true)
        ]
        return report
    }

    private static var check: CheckReport {
        var report = CheckReport()
        report.soundCounts = [.key: 1, .certificate: 2]
        report.lockedCount = 3
        report.tombstoneCount = 4
        report.guardedCount = 5
        report.endedCount = 6
        report.faultCount = 7
        report.groupCounts = ["group": 8, "another": 9]
        report.mayHoldEarlierValues = true
        report.unreadableCount = 10
        return report
    }

    package static let outcomes: [WorkOutcome] = [
        .backup(backup), .restore(restore), .check(check), .passcodeLosses(closedCount: 1),
    ]

    private static func portion(_ outcome: WorkOutcome) -> WorkPortion {
        var bound = BoundItem(.key, row: -1, .accessControl)
        bound.attributes = [.label: .string("label")]
        var portion = WorkPortion()
        portion.findings = [.bytes([1]), .boundItem(bound)] + faults.map(WorkFinding.fault)
        portion.doneCount = 3
        portion.outcome = outcome
        return portion
    }

    package static let maintenanceReplies: [MaintenanceReply] =
        [
            .done,
            .begun(WorkID()),
            .accepted(rowCount: 1),
            .programGroup(RecordedGroup(ProgramGroup("group", .renamed), records: [1])),
        ] + outcomes.map { .portion(portion($0)) }

    package static let turns: [CallStep] = [.reply(.items(.done)), .challenge(challenge)]

    /// Every sample, by the type that it is a case of.
    package static let all: [(type: String, values: [any Sendable])] = [
        ("ItemRequest", items), ("ElementKeyRequest", elementKeys),
        ("AuthenticationRequest", authentications), ("DeviceRequest", device),
        ("MaintenanceRequest", maintenance), ("MaintenanceWork", works),
        ("ItemReply", itemReplies), ("ElementKeyReply", elementKeyReplies),
        ("AuthenticationReply", authenticationReplies), ("DeviceReply", deviceReplies),
        ("MaintenanceReply", maintenanceReplies), ("WorkOutcome", outcomes), ("CallStep", turns),
        ("PromptAnswer", answers), ("ItemResult", results),
        ("DaemonRequest", daemonRequests), ("DaemonReply", daemonReplies),
        ("MoveRequest", moves), ("MoveReply", moveReplies),
        ("FileKeyRequest", fileKeys), ("FileKeyReply", fileKeyReplies),
        ("SynchronizationRequest", synchronizations),
        ("SynchronizationReply", synchronizationReplies),
    ]
}
