import Cryptography
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts
import SecretServiceProtocol
import SystemBus

/// The program `keychain-secret-service`, from its command line to its exit status.
package enum SecretServiceProgram {
    private static let name = "keychain-secret-service"

    /// Runs the program, and returns its exit status.
    package static func run(_ arguments: [String]) -> Int32 {
        let command: ServiceOptions.Command
        do throws(ServiceOptions.UsageError) {
            command = try ServiceOptions.parse(arguments)
        } catch {
            return fail("\(error.reason); see \(name) --help", status: 2)
        }
        switch command {
        case .help: write(ServiceOptions.usage, to: STDOUT_FILENO)
        case .version: write("\(name) (swift-keychain) \(Version.text)\n", to: STDOUT_FILENO)
        case .serve(let options):
            do throws(KeychainError) { return try serve(options) } catch {
                return fail(error.description)
            }
        }
        return 0
    }

    private static func serve(_ options: ServiceOptions) throws(KeychainError) -> Int32 {
        let endpoint = try RequestRouter.endpoint()
        let status = try firstStatus(of: endpoint)
        guard let group = status.defaultAccessGroup else {
            return fail("the program has no access group; see keychainctl access-groups")
        }
        let desk = try desk(endpoint)
        let sharing = Sharing.chosen(options.sharing, endpoint.endpointDescription.kind)
        let random = SystemRandomSource()
        let machine = SecretServiceMachine(
            store: KeychainItemStore(endpoint, group: group, random: random),
            memory: MemoryItemStore([.session], now: { UInt64(max(0, time(nil))) }),
            random: random
        )
        do throws(BusError) {
            let bus = try SystemBus(options.bus.map { .at($0) } ?? .session)
            var loop = try SecretServiceLoop(bus, machine, desk, sharing)
            guard try loop.takeName(replacing: options.replaces) else {
                return fail(refusal(loop.owner, wasAsked: options.replaces))
            }
            write(readiness(sharing, forPerson: isatty(STDOUT_FILENO) == 1), to: STDOUT_FILENO)
            if case .replaced = loop.run() {
                write("\(name): another program has taken the name\n", to: STDERR_FILENO)
            }
            return 0
        } catch {
            return fail("there is no session bus; set DBUS_SESSION_BUS_ADDRESS or use --bus")
        }
    }

    /// Returns the text that announces readiness.
    ///
    /// Scripts wait for the first line. The second line is for a user at a terminal.
    package static func readiness(_ sharing: Sharing, forPerson: Bool) -> String {
        let line = "\(SecretServiceLoop.busName)\n"
        guard forPerson else { return line }
        let rule = DoorExamination.sharing(["--\(sharing.rawValue)"], hasMachineDaemon: false)
        return line + "\(name) serves this session until you end it, for example with Ctrl-C;"
            + " \(rule).\n"
    }

    private static func refusal(_ owner: String, wasAsked: Bool) -> String {
        let name = SecretServiceLoop.busName
        return wasAsked
            ? "\(owner) does not give \(name) up; end it, and run this again"
            : "\(owner) offers \(name) on this bus; use --replace, or end that program"
    }

    /// The time for which a keychain may be unavailable at the start, for example while its daemon
    /// restarts.
    private static let patience = Duration.seconds(5)

    private static func firstStatus(
        of endpoint: any Endpoint
    ) throws(KeychainError) -> DeviceStatus {
        let end = ContinuousClock.now + patience
        while true {
            do throws(KeychainError) {
                return try KeychainItemStore.status(of: endpoint)
            } catch {
                guard error.status == .notAvailable, ContinuousClock.now < end else { throw error }
                _ = poll(nil, 0, 50)
            }
        }
    }

    private static func desk(_ endpoint: any Endpoint) throws(KeychainError) -> UnlockDesk {
        let environment = ProcessEnvironment.current
        let confirmation = try ConfirmationPrompter(program: name) { environment[$0] }
        return try UnlockDesk(
            endpoint,
            MachinePrompter(program: name, settings: try PromptSettings { environment[$0] }),
            asks: { confirmation.asks($0, while: $1) }
        )
    }

    private static func fail(_ reason: String, status: Int32 = 1) -> Int32 {
        write("\(name): \(VisibleText.escaping(reason))\n", to: STDERR_FILENO)
        return status
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        // A failure is ignored, because there is nobody left to tell.
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
