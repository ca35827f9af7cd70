import Cryptography
import DataProtection
import Glibc
import KeychainEngine
import KeychainMessages
import KeychainModel
import KeychainPrompts
import Secrets

/// The keychain in this process and in a directory that it shares with other processes.
///
/// - Source: requirement OPS-01; the public contract.
package enum EmbeddedKeychain {
    /// The macOS rules of the data protection keychain, with the outcomes of `HostBehavior`.
    package static let profiles = profiles(in: .current)

    package static func profiles(in environment: ProcessEnvironment) -> Profiles {
        Profiles(system: .host, behavior: HostBehavior.profile(environment))
    }

    /// An opened keychain, with the process that opened it.
    private struct Opened: Sendable {
        var place: Place
        let processID: pid_t
        /// The engine; nil for a daemon's keychain.
        let engine: Engine?
        let endpoint: any Endpoint
    }

    /// The place of a process's keychain.
    private enum Place: Sendable {
        case home(KeychainHome)
        case daemon(DaemonSocket)
        /// A simulated device, by the word that names it.
        case simulation(String)

        func isNamed(by environment: ProcessEnvironment) -> Bool {
            let isSimulated =
                !environment.isProtected && !environment.has("", in: SimulationSocket.variable)
            return switch self {
            case .home(let home): !isSimulated && home.isNamed(by: environment)
            case .daemon(let socket): !isSimulated && socket.isNamed(by: environment)
            case .simulation(let word): environment.has(word, in: SimulationSocket.variable)
            }
        }
    }

    private static let opened = AdaptiveMutex<Opened?>(nil)

    /// Returns the endpoint of this process, opened once for each directory.
    ///
    /// It is the first daemon whose socket exists, or else the keychain of a directory. A forked
    /// child opens its own: the kernel wiped its copy of the class keys, and SQLite forbids it the
    /// parent's connection.
    ///
    /// With `KEYCHAIN_DIAGNOSTICS=1`, it prints the reason of a failure.
    static func endpoint() throws(KeychainError) -> any Endpoint {
        let environment = ProcessEnvironment.current
        do throws(KeychainError) { return try endpoint(environment) } catch {
            let home = try? KeychainHome(environment)
            DiagnosticOutput.noteOpening(error, of: home?.directory)
            throw error
        }
    }

    private static func endpoint(
        _ environment: ProcessEnvironment
    ) throws(KeychainError) -> any Endpoint {
        let processID = ProcessNumber.current
        return try opened.withLock { opened throws(KeychainError) in
            if let opened, opened.processID == processID, opened.place.isNamed(by: environment) {
                return opened.endpoint
            }
            if let device = try SimulationSocket.named(in: environment) {
                return try connect(device, environment, &opened)
            }
            if let socket = DaemonSocket.found(environment) {
                return try connect(socket, environment, &opened)
            }
            let home = try KeychainHome(environment)
            if let known = opened, known.processID == processID, case .home(let old) = known.place,
                old.directory == home.directory
            {
                opened?.place = .home(home)
                return known.endpoint
            }
            let made = try open(home, environment)
            keepParents(opened)
            opened = Opened(
                place: .home(home),
                processID: processID,
                engine: made.engine,
                endpoint: made
            )
            return made
        }
    }

    /// Returns the endpoint of a daemon; a forked child has the same one, and connects again.
    private static func connect(
        _ socket: DaemonSocket,
        _ environment: ProcessEnvironment,
        _ opened: inout Opened?
    ) throws(KeychainError) -> any Endpoint {
        let endpoint: any Endpoint
        if let opened, case .daemon(socket) = opened.place {
            endpoint = opened.endpoint
        } else {
            endpoint = try DaemonEndpoint(socket, environment)
        }
        keepParents(opened)
        opened = Opened(
            place: .daemon(socket),
            processID: ProcessNumber.current,
            engine: nil,
            endpoint: endpoint
        )
        return endpoint
    }

    private static func connect(
        _ device: SimulationSocket,
        _ environment: ProcessEnvironment,
        _ opened: inout Opened?
    ) throws(KeychainError) -> any Endpoint {
        let endpoint = try DaemonEndpoint(device, environment)
        keepParents(opened)
        opened = Opened(
            place: .simulation(environment[SimulationSocket.variable] ?? ""),
            processID: ProcessNumber.current,
            engine: nil,
            endpoint: endpoint
        )
        return endpoint
    }

    /// Keeps a parent's engine alive before another keychain replaces it.
    private static func keepParents(_ opened: Opened?) {
        if let opened, let engine = opened.engine, opened.processID != ProcessNumber.current {
            // Closing the parent's connection here could disturb the parent.
            _ = Unmanaged.passRetained(engine)
        }
        if opened == nil { atexit { EmbeddedKeychain.end() } }
    }

    /// Wipes the keys of this process when it exits.
    ///
    /// If a process is killed, the kernel wipes them before it reuses the memory.
    ///
    /// - Source: atexit(3); requirement STO-19.
    private static func end() {
        let engine = opened.withLockIfFree { opened in
            opened?.processID == getpid() ? opened?.engine : nil
        }
        (engine ?? nil)?.end()
    }

    /// Opens or creates the keychain of a directory, for the caller that the environment describes.
    ///
    /// It prompts on the terminal, unless the environment selects another way.
    package static func open(
        _ home: KeychainHome,
        _ environment: ProcessEnvironment,
        terminal: String = ControllingTerminal.path,
        stretchingCost: (@Sendable () -> Argon2id.Cost)? = nil
    ) throws(KeychainError) -> EngineEndpoint {
        try refuseDaemon(environment)
        try HostBehavior.check(environment)
        let identity = try CallerIdentity(environment)
        let settings = try PromptSettings { environment[$0] }
        let directory = environment.executableDirectory
        let reader = try FingerprintReader.reader(settings, beside: directory, terminal: terminal)
        let engine = try engine(
            home,
            environment,
            EngineTerms(
                sessions: .sharedMemory,
                surroundings: { Surroundings(reader?.state ?? .absent) },
                note: DiagnosticOutput.note,
                stretchingCost: stretchingCost
            )
        )
        let headless = HeadlessUnlock(home: home, environment: environment)
        try headless.unlock(engine)
        return EngineEndpoint(
            engine: engine,
            caller: identity.caller(
                on: profiles.system,
                recordedGroup: ProgramRegistry(home).group(of: identity, environment, in: engine)
            ),
            prompter: MachinePrompter(
                program: environment.executableName,
                settings: settings,
                reader: reader,
                terminal: terminal
            ),
            look: reader?.look,
            headless: headless,
            note: DiagnosticOutput.note
        )
    }

    /// Locks the keychain of a directory without opening it, even if files are damaged or missing.
    ///
    /// - Throws: The error that prevents the lock from being recorded; `errSecNotAvailable` if the
    ///   environment names the keychain of a daemon or of a simulated device instead.
    package static func lockUnopened(_ environment: ProcessEnvironment) throws(KeychainError) {
        try refuseDaemon(environment)
        if let device = try SimulationSocket.named(in: environment) {
            let reason = "the keychain is one of the simulated device \(device.name)"
            throw KeychainError(.notAvailable, reason)
        }
        let home = try KeychainHome(environment)
        let start = try fromStorage(try DeviceInstant.systemNow())
        let storage = try fromStorage(try DirectoryStorage(path: home.directory))
        try fromDevice(
            try Device.lockUnopened(
                storage,
                sessions: SharedMemoryStorage(environment),
                random: SystemRandomSource(),
                at: start
            )
        )
    }

    /// Throws if there is a daemon, which must not be bypassed silently.
    private static func refuseDaemon(_ environment: ProcessEnvironment) throws(KeychainError) {
        guard let socket = DaemonSocket.found(environment) else { return }
        let reason =
            "a daemon has its socket at \(socket.path), and this program opens the directory"
            + " itself: stop the daemon, or set \(DaemonSocket.variable)= for this program"
        throw KeychainError(.notAvailable, reason)
    }

    /// The terms on which an engine is opened.
    package struct EngineTerms: Sendable {
        /// The place where unlocked sessions are shared.
        package enum Sessions: Sendable {
            /// In memory that the processes of the account share.
            case sharedMemory
            case kept(any SessionImageStorage)
            case nowhere
        }

        package var sessions: Sessions
        /// Reads the device's surroundings; called without a lock.
        package var surroundings: @Sendable () -> Surroundings
        /// Receives findings.
        package var note: @Sendable (Finding) -> Void
        /// Measures the cost of a guess at a new passcode; nil for the environment's setting.
        package var stretchingCost: (@Sendable () -> Argon2id.Cost)?
        /// The size limit of the items' file in bytes; nil for no limit.
        package var byteLimit: Int?
        /// Called after every lock with its cause.
        package var locked: @Sendable (LockCause) -> Void = { _ in }
        /// The pool that stretches passcodes, and the user ID that it charges.
        package var pool = StretchingPool.unlimited
        package var person: UInt32 = 0
        /// The memory limit for the results of calls; nil for no limit.
        package var results: ResultBudget?
        /// The memory limit for state that programs keep between calls; nil for no limit.
        package var kept: KeptBudget?

        package init(
            sessions: Sessions,
            surroundings: @escaping @Sendable () -> Surroundings,
            note: @escaping @Sendable (Finding) -> Void,
            stretchingCost: (@Sendable () -> Argon2id.Cost)? = nil,
            byteLimit: Int? = nil
        ) {
            self.byteLimit = byteLimit
            self.sessions = sessions
            self.surroundings = surroundings
            self.note = note
            self.stretchingCost = stretchingCost
        }
    }

    /// Opens or creates the keychain of a directory, without a particular caller.
    package static func engine(
        _ home: KeychainHome,
        _ environment: ProcessEnvironment,
        _ terms: EngineTerms
    ) throws(KeychainError) -> Engine {
        let random = SystemRandomSource()
        let storage = try fromStorage(try DirectoryStorage(path: home.directory))
        let start = try fromStorage(try DeviceInstant.systemNow())
        try home.requireKeybag()
        let element = try SecureElements.element(in: storage, environment, random: random)
        let sessions: (any SessionImageStorage)?
        switch terms.sessions {
        case .sharedMemory:
            if !storage.holds(.lockEpoch) { LegacySessionImage.remove(of: home, environment) }
            sessions = SharedMemoryStorage(environment)
        case .kept(let storage): sessions = storage
        case .nowhere: sessions = nil
        }
        let stated = try UnlockTime.stretchingCost(environment)
        let device = try device(
            in: storage,
            on: element,
            sessions,
            terms.stretchingCost ?? stated,
            random: random,
            at: start
        )
        try home.prepareDatabase()
        let store = try ItemStore(opening: home.database, byteLimit: terms.byteLimit)
        var outside = EngineEnvironment(
            now: { Self.wallClock() },
            instant: { Self.deviceClock(bootID: start.bootID) },
            random: random,
            surroundings: terms.surroundings,
            note: terms.note,
            progress: WorkProgress.report
        )
        outside.locked = terms.locked
        outside.pool = terms.pool
        outside.person = terms.person
        outside.results = terms.results
        outside.kept = terms.kept
        return try Engine(
            device: device,
            store: store,
            environment: outside,
            profiles: profiles(in: environment)
        )
    }

    private static func device(
        in storage: DirectoryStorage,
        on element: any SecureElement,
        _ sessions: (any SessionImageStorage)?,
        _ stretchingCost: @escaping @Sendable () -> Argon2id.Cost,
        random: SystemRandomSource,
        at now: DeviceInstant
    ) throws(KeychainError) -> sending Device {
        try fromDevice(
            try Device(
                opening: storage,
                element: element,
                sessions: sessions,
                localTime: DeviceInstant.localTime,
                stretchingCost: stretchingCost,
                random: random,
                at: now
            )
        )
    }

    /// The seconds between 1970 and 2001.
    private static let referenceOffset = 978_307_200.0

    private static func wallClock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) - referenceOffset + Double(time.tv_nsec) / 1e9
    }

    private static func deviceClock(bootID: [UInt8]) -> DeviceInstant {
        // Without a clock, every delay still runs, and every lock by time applies.
        (try? DeviceInstant.systemNow(bootID: bootID))
            ?? DeviceInstant(bootID: bootID, uptime: .zero)
    }
}

extension Surroundings {
    /// Creates the surroundings of a machine with a fingerprint reader, its only biometry.
    package init(_ reader: FingerprintReader.State) {
        switch reader {
        case .absent: self.init()
        case .present(let fingers): self.init(biometry: .touchID, enrolments: fingers)
        }
    }
}
