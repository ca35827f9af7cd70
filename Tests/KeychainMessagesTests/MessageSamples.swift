import KeychainMessages
import KeychainModel
import Secrets

/// A message of each case, with everything in it that may be there.
enum MessageSamples {
    private static let secret = SharedSecret(Secret(copying: [1, 2, 3]))
    private static let control = AccessControl(protection: .whenUnlocked, flags: .userPresence)
    private static let context = ContextReference(
        session: SessionID(),
        forbidsInteraction: true,
        reuse: .seconds(10),
        reason: "reason",
        fallbackTitle: "another way",
        applicationPassword: secret
    )
    private static let handle = ElementKeyHandle(
        protection: .whenUnlockedThisDeviceOnly,
        accessControl: control,
        publicPoint: [4],
        sealedPrivateHalf: [5]
    )
    private static let error = KeychainError(.userCancel)
    private static let challenge = Challenge(
        factor: .passcode,
        prompt: Prompt(.passcode, reason: "reason", offersFallback: true, fallbackTitle: "title"),
        lockCount: 1
    )

    private static var dictionary: AttributeDictionary {
        var dictionary: AttributeDictionary = [
            "text": .string("text"), "data": .data([1]), "number": .number(1), "real": .real(1),
            "flag": .bool(true), "date": .date(1), "secret": .secret(secret),
            "control": .accessControl(control), "list": .array([.null]),
            "context": .authentication(context), "other": .unsupported(typeName: "Thing"),
        ]
        dictionary.publicKeyHash = [1]
        return dictionary
    }

    static let items: [ItemRequest] = [
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
        return terms
    }

    static let elementKeys: [ElementKeyRequest] = [
        .make(dictionary, isPermanent: true, publicHalf: dictionary),
        .check(handle),
        .use(handle, algorithm: "algorithm", .sign([1]), terms),
    ]

    static let authentications: [AuthenticationRequest] = [
        .evaluate(.factor(.biometry), context),
        .canEvaluate(.factor(.biometry), context),
        .biometryStatus,
        .end(context.session),
    ]

    static let device: [DeviceRequest] = [
        .status,
        .lock,
        .unlock(passcode: secret),
        .setPasscode(secret, current: secret),
        .removePasscode(current: secret),
        .setLockSettings(LockSettings(idleSeconds: 1, minuteOfDay: 2)),
    ]

    static let works: [MaintenanceWork] = [
        .backup(password: secret), .restore(password: secret), .check(.everything),
        .passcodeLosses,
    ]

    private static let program = ProgramGroupQuery(
        ProgramFile(path: "/bin/program", identity: [1]),
        declared: "group",
        otherwise: "program",
        records: [1]
    )

    static let maintenance: [MaintenanceRequest] =
        [
            .next(WorkID()),
            .give(WorkID(), [1]),
            .stop(WorkID()),
            .acceptRows,
            .programGroup(program),
        ] + works.map(MaintenanceRequest.begin)

    static let answers: [PromptAnswer] = [
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

    static let results: [ItemResult] = [
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

    static let itemReplies: [ItemReply] =
        [
            .done, .earlierValueStays, .listing(listing), .results(results),
        ] + results.map(ItemReply.result)

    static let elementKeyReplies: [ElementKeyReply] = [.made(handle), .known, .bytes(secret)]

    static let authenticationReplies: [AuthenticationReply] = [
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
        guessCost: .init(memoryKiB: 1, passes: 2)
    )

    static let deviceReplies: [DeviceReply] = [.status(status), .changed(warnings: [error])]

    private static var faults: [CheckFault] {
        var row = UnreadableRow(.key, row: 1, .value)
        row.attributes = [.label: .string("label")]
        return [
            .row(row), .metadataKey(.whenUnlocked), .groupName("ff"), .database("sentence"),
            .rowSum(found: 1, written: 2),
        ]
    }

    static let outcomes: [WorkOutcome] = [
        .backup(BackupReport()), .restore(RestoreReport()), .check(CheckReport()),
        .passcodeLosses(closedCount: 1),
    ]

    private static func portion(_ outcome: WorkOutcome) -> WorkPortion {
        var portion = WorkPortion()
        portion.findings =
            [.bytes([1]), .boundItem(BoundItem(.key, row: 1, .accessControl))]
            + faults.map(WorkFinding.fault)
        portion.outcome = outcome
        return portion
    }

    static let maintenanceReplies: [MaintenanceReply] =
        [
            .done,
            .begun(WorkID()),
            .accepted(rowCount: 1),
            .programGroup(RecordedGroup(ProgramGroup("group", .renamed), records: [1])),
        ] + outcomes.map { .portion(portion($0)) }

    static let turns: [CallStep] = [.reply(.items(.done)), .challenge(challenge)]

    /// Every sample, by the type that it is a case of.
    static let all: [(type: String, values: [any Sendable])] = [
        ("ItemRequest", items), ("ElementKeyRequest", elementKeys),
        ("AuthenticationRequest", authentications), ("DeviceRequest", device),
        ("MaintenanceRequest", maintenance), ("MaintenanceWork", works),
        ("ItemReply", itemReplies), ("ElementKeyReply", elementKeyReplies),
        ("AuthenticationReply", authenticationReplies), ("DeviceReply", deviceReplies),
        ("MaintenanceReply", maintenanceReplies), ("WorkOutcome", outcomes), ("CallStep", turns),
        ("PromptAnswer", answers), ("ItemResult", results),
    ]
}
