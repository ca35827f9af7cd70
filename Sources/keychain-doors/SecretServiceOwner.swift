import KeychainHost
import SystemBus

/// A query to the session bus for the owner of the Secret Service's name, which starts no program.
enum SecretServiceOwner {
    private static let bus = BusMethod(
        service: "org.freedesktop.DBus",
        path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus"
    )

    /// The time limit for the bus to connect and to reply.
    ///
    /// The bus itself never prompts.
    private static let patience = Duration.seconds(3)

    static func ask(_ kind: SystemBus.Kind = .session) -> DoorExamination.BusAnswer {
        do throws(BusError) {
            let connection = try SystemBus(kind)
            try connection.enter(within: patience)
            return try ask(connection)
        } catch {
            return .unreachable
        }
    }

    private static func ask(
        _ connection: borrowing SystemBus
    ) throws(BusError) -> DoorExamination.BusAnswer {
        let owner: String?
        do throws(BusError) {
            owner = try connection.call(bus.method("GetNameOwner"), [DoorExamination.busName]) {
                $0.text()
            }
        } catch {
            guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
            return .nobody
        }
        guard let owner else { return .nobody }
        let process = try connection.call(bus.method("GetConnectionUnixProcessID"), [owner]) {
            $0.number()
        }
        guard let process, let number = Int32(exactly: process) else { return .nobody }
        return .owner(process: number, program: DoorExamination.program(of: number))
    }
}
