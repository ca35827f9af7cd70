import CallerEvidence
import KeychainMessages
import KeychainModel
import KeychainWire
import MessageTestSupport
import Secrets
import TestSupport
import Testing

/// A message of either side, and its bytes.
enum WireMessage: Sendable {
    case client(ClientMessage, token: SessionToken?)
    case daemon(DaemonMessage)

    func encoded() throws(WireError) -> [UInt8] {
        var buffer = WireBuffer()
        switch self {
        case .client(let message, let token): try message.encode(token: token, into: &buffer)
        case .daemon(let message): try message.encode(into: &buffer)
        }
        return buffer.withUnsafeBytes { [UInt8]($0) }
    }

    /// All that is in the message, as one line.
    var content: String {
        switch self {
        case .client(let message, _): MessageTestSupport.content(of: message)
        case .daemon(let message): MessageTestSupport.content(of: message)
        }
    }

    /// The side that sends it.
    var side: WireSide {
        switch self {
        case .client: .client
        case .daemon: .daemon
        }
    }
}

extension WireSide {
    /// Reads a message of this side; a client's with whatever token is in it.
    func decode(_ bytes: [UInt8]) throws -> WireMessage {
        switch self {
        case .client: return .client(try decoded(bytes).message, token: Self.token(in: bytes))
        case .daemon:
            return .daemon(
                try bytes.withUnsafeBytes { bytes in
                    try DaemonMessage.decode(bytes)
                }
            )
        }
    }

    private func decoded(
        _ bytes: [UInt8]
    ) throws -> (token: ReceivedToken, message: ClientMessage) {
        try bytes.withUnsafeBytes { bytes in try ClientMessage.decode(bytes) }
    }

    private static func token(in bytes: [UInt8]) -> SessionToken {
        SessionToken(SharedSecret(Secret(copying: bytes[1...SessionToken.byteCount])))
    }
}

/// A message of each case, named by its own content.
struct WireSample: Sendable, CustomTestStringConvertible {
    let number: Int
    let message: WireMessage

    var testDescription: String { "\(number) \(message.content.prefix(60))" }

    static let token = SessionToken(SharedSecret(Secret(copying: Array(1...16))))

    static let all: [WireSample] = (clients + daemons).enumerated().map { number, message in
        WireSample(number: number, message: message)
    }

    private static let requests: [Request] =
        MessageSamples.items.map(Request.items)
        + MessageSamples.elementKeys.map(Request.elementKey)
        + MessageSamples.authentications.map(Request.authenticate)
        + MessageSamples.device.map(Request.device)
        + MessageSamples.maintenance.map(Request.maintenance)
        + MessageSamples.fileKeys.map(Request.fileKeys)
        + MessageSamples.synchronizations.map(Request.synchronization)

    static let clientMessages: [ClientMessage] =
        [
            .hello(ClientHello(version: 1, token: token, answersPrompts: true)),
            .hello(ClientHello(version: 0x0203)), .becomeAgent,
        ]
        + requests.map(ClientMessage.request)
        + MessageSamples.daemonRequests.map(ClientMessage.daemon)
        + MessageSamples.answers.map(ClientMessage.answer)
        + MessageSamples.answers.map { .promptAnswer(PromptID(rawValue: 5), $0) }

    private static let clients = clientMessages.map { message in
        if case .hello = message { return WireMessage.client(message, token: nil) }
        return .client(message, token: token)
    }

    private static let replies: [Reply] =
        MessageSamples.itemReplies.map(Reply.items)
        + MessageSamples.elementKeyReplies.map(Reply.elementKey)
        + MessageSamples.authenticationReplies.map(Reply.authentication)
        + MessageSamples.deviceReplies.map(Reply.device)
        + MessageSamples.maintenanceReplies.map(Reply.maintenance)
        + MessageSamples.fileKeyReplies.map(Reply.fileKeys)
        + MessageSamples.synchronizationReplies.map(Reply.synchronization)

    private static let findings = [
        Finding(.missingOperator, verb: .accessControl, item: "item", status: .param),
        Finding(.broadDelete, verb: .delete, item: "item", status: .success, detail: "detail"),
    ]

    private static let errors = [
        KeychainError(.itemNotFound, "no such item"), MessageSamples.error,
        KeychainError(.decode, "reason", cause: .damagedStore("page 2")),
    ]

    private static let prompts: [Prompt] = [
        Prompt(.biometry(.touchID)), Prompt(.companion, reason: "reason"),
        Prompt(.newApplicationPassword, offersFallback: true),
        Prompt(.applicationPassword, fallbackTitle: "title"), Prompt(.passcode),
    ]

    static let daemonMessages: [DaemonMessage] =
        [
            .welcome(welcome), .withdraw(PromptID(rawValue: 6)),
            .challenge(MessageSamples.challenge), .refusal(errors[0]),
        ]
        + replies.map { .reply($0, findings) }
        + errors.map { .failure($0, findings) }
        + MessageSamples.daemonReplies.map(DaemonMessage.daemon)
        + prompts.map { prompt in
            .prompt(
                PromptID(rawValue: 7),
                AgentPrompt(prompt, program: "/usr/bin/mailer", level: .observed)
            )
        }

    private static let daemons = daemonMessages.map(WireMessage.daemon)

    /// Nothing in it is what `documented` has, where there is a choice.
    private static var behavior: BehaviorProfile {
        var behavior = BehaviorProfile.appleSource
        behavior.passcodeMissing = .notAvailable
        behavior.deprecatedAlways = .remapToAfterFirstUnlock
        behavior.accessGroupUpdate = .reject
        behavior.matchKeysInWrites = .ignore
        behavior.backupThisDeviceOnly = .excluded
        behavior.metadataReadableWhenLocked = true
        behavior.beforeFirstUnlock = .itemNotFound
        behavior.matchCaseInsensitive = .honor
        behavior.macOSKeychains = .both
        behavior.fileBasedMatchLimit = .all
        return behavior
    }

    private static let welcome = DaemonWelcome(
        version: 1,
        token: token,
        kind: .systemDaemon,
        profiles: Profiles(system: .watchOS(11), behavior: behavior)
    )
}
