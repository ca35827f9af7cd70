import Cryptography
import Glibc
import KeychainMessages
import KeychainModel
import SecretServiceProtocol
import Secrets
import SystemBus

/// A loop that serves the Secret Service until the bus or another program ends it.
package struct SecretServiceLoop: ~Copyable {
    package static let busName = "org.freedesktop.secrets"

    /// The reason why the loop ended.
    package enum End: Sendable {
        /// Another program has taken the name.
        case replaced
        /// The bus has disconnected.
        case disconnected
    }

    /// The interval between checks of the lock state while a client has a session.
    private static let lockWatch = Duration.seconds(5)
    private static let idleWait = Duration.seconds(3_600)

    private let bus: SystemBus
    private let desk: UnlockDesk
    private let served: ServedMachine
    private let clients: ClientPrograms?
    private var nextLook = ContinuousClock().now

    /// Connects to a bus without taking the service's name.
    package init(
        _ bus: consuming SystemBus,
        _ machine: SecretServiceMachine,
        _ desk: UnlockDesk,
        _ sharing: Sharing = .shared
    ) throws(BusError) {
        try bus.listen(
            to: "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg2=''"
        )
        self.bus = bus
        served = ServedMachine(machine)
        self.desk = desk
        clients = sharing == .apart ? ClientPrograms() : nil
    }

    /// Requests the service's name.
    ///
    /// - Returns: Whether this program now has the name.
    package func takeName(replacing replaces: Bool) throws(BusError) -> Bool {
        try bus.take(name: Self.busName, replacing: replaces)
    }

    /// The program that has the name, with its process.
    package var owner: String {
        guard let process = bus.process(of: Self.busName) else { return "another program" }
        return "\(ClientName.program(of: process) ?? "a program") (process \(process))"
    }

    /// Serves clients.
    package mutating func run() -> End {
        do throws(BusError) {
            while true {
                if try serveNext() { return .replaced }
            }
        } catch {
            return .disconnected
        }
    }

    /// Handles a message that has arrived, or waits for one.
    ///
    /// - Returns: Whether the name was lost.
    private mutating func serveNext() throws(BusError) -> Bool {
        try reportEndedDialogs()
        let progress = try bus.next { message -> Bool? in
            Self.serve(message, bus, &served.machine, desk, clients)
        }
        switch progress {
        case .value(let isLost): return isLost
        case .worked: return false
        case .idle:
            let patience = served.machine.isInUse ? Self.lockWatch : Self.idleWait
            try bus.wait(orFor: desk.wakeDescriptor, atMost: patience)
            try lookAtLock()
            return false
        }
    }

    /// Informs clients about a lock or unlock by another program.
    ///
    /// The check counts items, so it is not part of every call.
    private mutating func lookAtLock() throws(BusError) {
        let now = ContinuousClock().now
        guard served.machine.isInUse, now >= nextLook else { return }
        nextLook = now + Self.lockWatch
        try Self.send(served.machine.noteLockState(), over: bus)
    }

    /// Handles one message.
    ///
    /// - Returns: Whether the name was lost; nil for a message that does not matter.
    private static func serve(
        _ message: BusMessage,
        _ bus: borrowing SystemBus,
        _ machine: inout SecretServiceMachine,
        _ desk: UnlockDesk,
        _ clients: ClientPrograms?
    ) -> Bool? {
        guard message.isCall else { return note(message, &machine, desk, clients) }
        message.wipeAfterUse()
        do throws(BusError) {
            guard let sender = message.sender, let path = message.origin,
                let member = message.member, let arguments = message.values()
            else {
                let kind = SecretServiceError.Kind.invalidArguments
                try bus.refuse(message, name: kind.rawValue, reason: "unreadable arguments")
                return false
            }
            let program = clients?.program(of: sender, on: bus)
            guard clients == nil || program != nil else {
                let kind = SecretServiceError.Kind.accessDenied
                let reason = "it cannot be seen which program asks"
                try bus.refuse(message, name: kind.rawValue, reason: reason)
                return false
            }
            let response = machine.handle(
                BusCall(
                    sender: sender,
                    program: program,
                    path: path,
                    interface: message.interface,
                    member: member,
                    arguments: arguments
                )
            )
            switch response.result {
            case .success(let results): try reply(results, to: message, over: bus)
            case .failure(let error):
                try bus.refuse(message, name: error.kind.rawValue, reason: error.reason)
            }
            try send(response.signals, over: bus)
            perform(response.work, bus, desk)
        } catch {
            // The client or the bus is gone; the next read reports which.
        }
        return false
    }

    /// Replies to a call; sends an error if the results do not form a message.
    private static func reply(
        _ results: [BusValue],
        to call: BusMessage,
        over bus: borrowing SystemBus
    ) throws(BusError) {
        do throws(BusError) {
            try bus.reply(to: call) { reply throws(BusError) in try reply.write(results) }
        } catch {
            let kind = SecretServiceError.Kind.failed
            try bus.refuse(call, name: kind.rawValue, reason: "the reply cannot be written")
        }
    }

    private static func note(
        _ message: BusMessage,
        _ machine: inout SecretServiceMachine,
        _ desk: UnlockDesk,
        _ clients: ClientPrograms?
    ) -> Bool? {
        guard message.sender == "org.freedesktop.DBus", let name = message.text() else {
            return nil
        }
        switch message.member {
        case "NameLost"?: return name == busName
        case "NameOwnerChanged"?:
            clients?.forget(name)
            for case .dismiss(let number) in machine.forget(client: name) { desk.dismiss(number) }
            return false
        default: return nil
        }
    }

    private static func perform(
        _ work: [PromptWork],
        _ bus: borrowing SystemBus,
        _ desk: UnlockDesk
    ) {
        for step in work {
            switch step {
            case .show(let number, let client):
                desk.show(number, for: ClientName.of(bus.process(of: client)))
            case .ask(let number, let program): desk.ask(number, for: program)
            case .dismiss(let number): desk.dismiss(number)
            }
        }
    }

    private mutating func reportEndedDialogs() throws(BusError) {
        for (number, isUnlocked) in desk.takeEnded() {
            let signals = served.machine.promptEnded(number, isUnlocked: isUnlocked)
            try Self.send(signals, over: bus)
        }
    }

    private static func send(
        _ signals: [BusSignal],
        over bus: borrowing SystemBus
    ) throws(BusError) {
        for signal in signals {
            let member = BusMethod(service: "", path: signal.path, interface: signal.interface)
                .method(signal.member)
            try bus.emit(member, to: signal.receiver) { arguments throws(BusError) in
                try arguments.write(signal.arguments)
            }
        }
    }
}

/// The machine as a reference: a copy would duplicate its sessions at every change.
private final class ServedMachine {
    var machine: SecretServiceMachine

    init(_ machine: SecretServiceMachine) { self.machine = machine }
}
