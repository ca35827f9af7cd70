import Cryptography
import Glibc
import KeychainCommand
import KeychainHost
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import Secrets
import SyncRelay

/// `keychainctl sync`: shares synchronizable items with other devices.
enum SyncCommand {
    /// A verb of the command.
    struct Verb: Sendable {
        let name: String
        /// The name of the only operand; nil if the verb takes none.
        var operand: String?
        /// The options of this verb, apart from those of every verb.
        var options: Set<CommandOption.Name> = []
        /// Whether the verb affects which devices get items, so that the user has to consent.
        var needsConsent = false
        let run: @Sendable (borrowing SyncRun) throws(CommandFailure) -> Void
    }

    /// ★ Table: the verbs.
    static let verbs: [Verb] = [
        Verb(
            name: "create",
            options: [.relay, .deviceName, .noRecovery],
            needsConsent: true,
            run: SyncCircle.create
        ),
        Verb(
            name: "join",
            operand: "code",
            options: [.relay, .deviceName, .recovery],
            needsConsent: true,
            run: SyncCircle.join
        ),
        Verb(
            name: "approve",
            operand: "fingerprint",
            options: [.relay, .keeper],
            needsConsent: true,
            run: SyncCircle.approve
        ),
        Verb(
            name: "promote",
            operand: "device",
            options: [.relay],
            needsConsent: true,
            run: SyncCircle.promote
        ),
        Verb(name: "once", options: [.relay, .json], run: SyncExchange.once),
        Verb(name: "run", options: [.relay], run: SyncExchange.run),
        Verb(name: "status", options: [.json], run: SyncStatusReport.run),
        Verb(
            name: "remove",
            operand: "device",
            options: [.relay, .recovery, .withOthers, .keepOthers],
            needsConsent: true,
            run: SyncCircle.remove
        ),
        Verb(
            name: "leave",
            options: [.relay, .force],
            needsConsent: true,
            run: SyncCircle.leave
        ),
        Verb(
            name: "recovery",
            options: [.relay, .recovery],
            needsConsent: true,
            run: SyncCircle.recovery
        ),
        Verb(name: "on") { run throws(CommandFailure) in try SyncCircle.setOn(true, run) },
        Verb(name: "off") { run throws(CommandFailure) in try SyncCircle.setOn(false, run) },
    ]

    private static let options: [(CommandOption.Name, String)] = [
        (.relay, "--relay"), (.deviceName, "--name"), (.recovery, "--recovery"),
        (.noRecovery, "--no-recovery"), (.keeper, "--keeper"), (.withOthers, "--with-others"),
        (.keepOthers, "--keep-others"), (.force, "--force"), (.json, "--json"),
    ]

    /// Runs one verb.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let words = arguments.operands
        guard let word = words.first, let verb = verbs.first(where: { $0.name == word }) else {
            let names = verbs.map(\.name).joined(separator: ", ")
            throw .usage("missing or invalid verb: give one of \(names)")
        }
        for (option, spelling) in options
        where arguments.has(option) && !verb.options.contains(option) {
            let takers = verbs.filter { $0.options.contains(option) }.map { "sync \($0.name)" }
            throw .usage("option \(spelling) is for \(takers.joined(separator: " and "))")
        }
        guard words.count == (verb.operand == nil ? 1 : 2) else {
            throw .usage(
                verb.operand.map { "give sync \(verb.name) one \($0)" }
                    ?? "sync \(verb.name) takes no argument"
            )
        }
        // Every program of the account can run this one. The machine's daemon therefore requires
        // the passcode, which only the user knows.
        if verb.needsConsent || arguments.has(.relay) { try context.provePasscodeToDaemon() }
        try verb.run(SyncRun(arguments, context, operand: words.dropFirst().first))
    }
}

/// One invocation of the command.
struct SyncRun {
    let arguments: Arguments
    let context: CommandContext
    /// The verb's operand; empty for a verb without one.
    let operand: String
    private let environment = ProcessEnvironment.current

    init(_ arguments: Arguments, _ context: CommandContext, operand: String?) {
        self.arguments = arguments
        self.context = context
        self.operand = operand ?? ""
    }

    /// Returns the verb's operand as a code that users type.
    func code() throws(CommandFailure) -> SyncCode {
        guard let code = SyncCode(operand) else {
            throw .usage("'\(operand)' is no code: it has 20 letters and digits in groups of four")
        }
        return code
    }

    /// Returns the keychain that is synchronized.
    func device() throws(CommandFailure) -> SyncDevice {
        let endpoint = try context.connected()
        return SyncDevice(endpoint) { SyncRun.secondsSince2001() }
    }

    static func secondsSince2001() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 - 978_307_200
    }

    /// Takes the lock that keeps other processes from synchronizing the same keychain.
    func lock() throws(CommandFailure) -> SyncLock {
        let place = try context.connected().endpointDescription.place ?? "daemon"
        return try SyncLock(place, environment.userID)
    }

    /// Returns the relay that `--relay` names; nil without the option.
    func namedRelay() throws(CommandFailure) -> RelayAddress? {
        guard let text = arguments[.relay] else { return nil }
        return try RelayAddress(text)
    }

    /// Opens a relay, and prepares it if it is new to this device.
    func open(
        _ address: RelayAddress,
        _ account: AccountName,
        prepares: Bool = false
    ) throws(CommandFailure) -> any Relay {
        do throws(RelayError) {
            let relay = try address.open(account, environment)
            if prepares { try relay.prepare() }
            return relay
        } catch { throw .unmet(error.words) }
    }

    /// Returns the relay of a circle: the one that the options name, or the last one.
    func relay(of device: inout SyncDevice) throws(CommandFailure) -> any Relay {
        var opened = device
        let membership = try CommandFailure.wrapping { () throws(SyncFailure) in
            try opened.membership()
        }
        guard let membership else { throw CommandFailure(.notJoined) }
        let named = try namedRelay()
        let address: RelayAddress
        if let named { address = named } else { address = try RelayAddress(membership.relayName) }
        let relay = try open(address, membership.account)
        if address.text != membership.relayName {
            // An address is stored only after its relay has answered.
            try CommandFailure.wrapping { () throws(SyncFailure) in
                do throws(RelayError) { _ = try relay.streams() } catch { throw .relay(error) }
                try opened.setRelay(address.text)
            }
        }
        device = opened
        return relay
    }

    /// The name of the device.
    var deviceName: String {
        if let name = arguments[.deviceName], !name.isEmpty { return name }
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = String(decoding: bytes, as: UTF8.self).split(separator: ".").first
        return name.map(String.init) ?? "device"
    }
}
