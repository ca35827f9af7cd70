import CallerEvidence
import KeychainMessages
import KeychainModel
import Secrets

// What is asked of a daemon itself, and what it answers.
extension MessageSamples {
    package static let selectors: [ProgramSelector] = [
        .program("/usr/bin/mailer"), .unit("shop.service"), .flatpak("org.example.Mail"),
        .snap("mail"), .label("mail-profile"), .account("ada"),
    ]

    private static let digest = [UInt8](repeating: 7, count: 32)

    private static let grants: [AccessGrant] = selectors.map { selector in
        AccessGrant(group: "group", program: selector, digest: digest)
    }

    package static let daemonRequests: [DaemonRequest] =
        [
            .describeCaller, .grants, .grant(grants[0], passcode: secret),
            .revoke(AccessGrant(group: "group", program: selectors[1]), passcode: secret),
            .log(after: LogPosition(lineNumber: 9)), .log(after: nil), .verifyLog,
            .simulate(["enroll", "2"]),
        ] + moves.map(DaemonRequest.move)

    package static let moves: [MoveRequest] = [
        .beginAdoption(keybag: [1, 2]), .file(name: "keychain.db", offset: 1 << 40, bytes: [1]),
        .checkAdoption, .finishAdoption,
        .beginRelease(passcode: secret), .read(name: "keybag", offset: 2), .finishRelease, .abandon,
        .askAdoption(keybag: [1, 2]), .beginAdoption(keybag: [1, 2], passcode: secret),
        .discard(passcode: secret), .discard(passcode: nil),
    ]

    private static func evidence(_ confinement: Confinement?) -> Evidence {
        var evidence = Evidence(userID: 1000, processID: 77)
        evidence.executable = ExecutableEvidence(
            path: "/usr/bin/mailer",
            device: 1,
            inode: 2,
            digest: digest,
            isRootOwned: true,
            hasClientGroup: false,
            isReplaceable: true,
            isPresent: false
        )
        evidence.systemUnit = "shop.service"
        evidence.confinement = confinement
        evidence.isExecutedSecurely = true
        evidence.isTraced = true
        evidence.foreignMappings = ["/srv/a.so"]
        return evidence
    }

    private static func caller(_ confinement: Confinement?) -> CallerDescription {
        let entitlements = Entitlements(
            applicationIdentifier: "com.example.mail",
            keychainAccessGroups: ["group"],
            applicationGroups: ["another"]
        )
        let judged = JudgedCaller(
            evidence: evidence(confinement),
            level: .confined,
            reasons: ["the account can replace it"],
            name: "/usr/bin/mailer",
            entitlements: entitlements
        )
        return CallerDescription(judged: judged, groups: ["group"], defaultGroup: "group")
    }

    private static let line = LogLine(
        time: -1,
        program: "/usr/bin/mailer",
        level: .verified,
        verb: "find",
        itemClass: "class",
        group: "group",
        itemDigest: [1, 2, 3, 4, 5, 6, 7, 8],
        status: -34018,
        rule: "policy"
    )

    package static let daemonReplies: [DaemonReply] =
        [
            .done, .caller(caller(nil)), .caller(caller(.flatpak("org.example.Mail"))),
            .caller(caller(.snap("mail"))), .caller(caller(.label("mail-profile"))),
            .grants(grants), .log([line], next: LogPosition(lineNumber: .max)),
            .logVerdict(LogVerdict(soundCount: 3, faults: ["line 4 was changed"])),
            .simulated("locked"),
        ] + moveReplies.map(DaemonReply.move)

    private static let file = MovedFile(
        name: "keybag",
        byteCount: 200,
        digest: [UInt8](repeating: 7, count: 32)
    )

    package static let moveReplies: [MoveReply] = [
        .ready, .files([file]), .bytes([1]), .checked([file], itemCount: 4),
        .adopted(itemCount: 4), .released(aside: "/var/lib/keychain/1000.released"),
        .adopted(itemCount: 4, aside: "/var/lib/keychain/1000.released"), .needsPasscode,
        .occupied(itemCount: 5), .discarded(["/var/lib/keychain/1000.released"]),
    ]
}
