import Glibc
import KeychainSockets

/// A read-only examination of the programs that answer requests through other protocols.
///
/// - Source: dbus-daemon(1); the freedesktop "Secret Service API Draft"; ssh-agent(1);
///   pkcs11.conf(5).
package struct DoorExamination: Sendable {
    /// The session bus's answer about the name `org.freedesktop.secrets`.
    package enum BusAnswer: Sendable, Hashable {
        /// The bus was not queried.
        case unasked
        /// There is a bus address, but no bus.
        case unreachable
        case nobody
        /// The process that owns the name, with its program if the kernel reveals it.
        case owner(process: Int32, program: String?)
    }

    /// The name of the Secret Service on the session bus.
    package static let busName = "org.freedesktop.secrets"

    private let environment: ProcessEnvironment
    private let directories: DoorDirectories

    package init(_ environment: ProcessEnvironment, in directories: DoorDirectories? = nil) {
        self.environment = environment
        self.directories = directories ?? DoorDirectories(environment)
    }

    /// Returns the state of every door.
    package func states(_ bus: BusAnswer = .unasked) -> [DoorState] {
        [secretService(bus), sshAgent(), pkcs11()]
    }

    /// Whether programs of this session find a bus.
    package var hasBus: Bool {
        if environment["DBUS_SESSION_BUS_ADDRESS"] != nil { return true }
        return environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    }
}

// The Secret Service.
extension DoorExamination {
    private func secretService(_ bus: BusAnswer) -> DoorState {
        guard hasBus, bus != .unreachable else {
            return DoorState(
                .secretService,
                .nobody,
                place: Self.busName,
                remark: hasBus ? "the session bus does not answer" : "there is no session bus",
                advice: "log in to a desktop or systemd session, or run programs below"
                    + " dbus-run-session",
                isFault: hasBus
            )
        }
        let providers = DoorDescription.all(in: directories.services, ending: ".service")
            .filter { $0["Name"] == Self.busName }
        if case .owner(let process, let program) = bus {
            return owned(by: program, process)
        }
        guard let first = providers.first, let program = first.program else {
            return DoorState(
                .secretService,
                .nobody,
                place: Self.busName,
                remark: "no .service file provides \(Self.busName)",
                advice: "start \(Door.secretService.fileName), or install its .service file",
                isFault: true
            )
        }
        return started(program, by: first, others: providers.dropFirst())
    }

    private func owned(by program: String?, _ process: Int32) -> DoorState {
        let isOurs = program.map(Door.secretService.isServed) ?? false
        return DoorState(
            .secretService,
            .running,
            program: program,
            process: process,
            place: Self.busName,
            remark: isOurs ? sharing(of: process) : "it keeps the secrets, not the keychain",
            advice: isOurs ? nil : Self.replacing
        )
    }

    /// Returns a sentence about which programs see which items in our running service.
    private func sharing(of process: Int32) -> String {
        let line = SmallFile.bytes(at: "/proc/\(process)/cmdline") ?? []
        let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let isSystem = DaemonSocket.found(environment)?.path == DaemonSocket.systemPath
        return Self.sharing(words, hasMachineDaemon: isSystem)
    }

    /// Returns the same sentence for the words of the service's command line.
    package static func sharing(_ words: [String], hasMachineDaemon: Bool) -> String {
        let isApart = words.contains("--apart")
        let isShared = words.contains("--shared") || (!hasMachineDaemon && !isApart)
        return isShared
            ? "every program of the session reads every item"
            : "each program reads its own items, and Login once you allow it"
    }

    private func started(
        _ program: String,
        by file: DoorDescription,
        others: ArraySlice<DoorDescription>
    ) -> DoorState {
        let rivals = others.compactMap(\.program).filter { $0 != program }
        let isOurs = Door.secretService.isServed(by: program)
        let remark =
            rivals.isEmpty
            ? nil : "\(file.path) comes before what would start \(rivals.joined(separator: ", "))"
        return DoorState(
            .secretService,
            .onDemand,
            program: program,
            place: Self.busName,
            remark: remark,
            advice: isOurs ? nil : Self.replacing,
            isFault: !rivals.isEmpty
        )
    }

    private static let replacing =
        "run keychainctl migrate --from secret-service --keep-attributes to move what the other"
        + " program keeps, end that program, and run keychain-secret-service --replace"
}

extension DoorDescription {
    /// The program that a service's description starts.
    fileprivate var program: String? {
        self["Exec"]?.split(separator: " ").first.map { word in
            String(word).replacing("\"", with: "")
        }
    }
}

// The agent of ssh.
extension DoorExamination {
    private static let socketVariable = "SSH_AUTH_SOCK"

    private func sshAgent() -> DoorState {
        guard let path = environment[Self.socketVariable] else {
            return DoorState(
                .sshAgent,
                .nobody,
                remark: "\(Self.socketVariable) is not set",
                advice: "run keychainctl ssh config, and do what it says"
            )
        }
        do throws(SocketError) {
            let stream = try UnixStream(connectingTo: path, milliseconds: 1000)
            let process = try stream.peer().processID
            let program = Self.program(of: process)
            if let program, program.hasSuffix("/systemd") { return listened(by: program, at: path) }
            let isOurs = program.map(Door.sshAgent.isServed) ?? false
            return DoorState(
                .sshAgent,
                .running,
                program: program,
                process: process,
                place: path,
                remark: isOurs ? nil : "it keeps the keys, not the keychain",
                advice: isOurs ? nil : "run keychainctl ssh config, and do what it says"
            )
        } catch {
            return DoorState(
                .sshAgent,
                .nobody,
                place: path,
                remark: "\(Self.socketVariable) names \(path), where nobody answers",
                advice: "start keychain-ssh-agent, or unset \(Self.socketVariable)",
                isFault: true
            )
        }
    }

    /// Returns the state of a socket; the kernel names its creator, not the program that will
    /// answer.
    private func listened(by program: String, at path: String) -> DoorState {
        DoorState(
            .sshAgent,
            .onDemand,
            program: program,
            place: path,
            remark: "systemd starts an agent for it; systemctl --user list-sockets shows which"
        )
    }

    /// Returns the executable of a process; nil if the kernel does not reveal it.
    ///
    /// For a process that hides it, such as our agent, it is the first word of the command line,
    /// which the process chose itself.
    package static func program(of process: Int32) -> String? {
        let folder = "/proc/\(process)/"
        if let path = SmallFile.target(of: folder + "exe") { return path }
        guard let line = SmallFile.bytes(at: folder + "cmdline") else { return nil }
        let word = String(decoding: line.prefix { $0 != 0 }, as: UTF8.self)
        return word.isEmpty ? nil : word
    }
}

// The module of PKCS#11.
extension DoorExamination {
    private func pkcs11() -> DoorState {
        let found = DoorDescription.all(in: directories.modules, ending: ".module").compactMap {
            description in
            description["module"].map { (description, $0) }
        }.first { Door.pkcs11.isServed(by: $0.1) }
        guard let (description, module) = found else {
            return DoorState(
                .pkcs11,
                .nobody,
                remark: "p11-kit knows no module of the keychain",
                advice: "install the keychain with Scripts/install.sh, or give programs the path of"
                    + " \(Door.pkcs11.fileName)"
            )
        }
        let paths =
            module.hasPrefix("/") ? [module] : directories.libraries.map { "\($0)/\(module)" }
        guard let library = paths.first(where: { access($0, R_OK) == 0 }) else {
            return DoorState(
                .pkcs11,
                .nobody,
                place: description.path,
                remark: "\(description.path) names \(module), which is not there",
                advice: "install the library, or remove that file",
                isFault: true
            )
        }
        return DoorState(.pkcs11, .onDemand, program: library, place: description.path)
    }
}
