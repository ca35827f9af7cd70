import Cryptography
import DataProtection
import KeychainCommand
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel

/// A keychain in memory whose clock stands still at 2025-03-01T12:00:00Z.
enum TestKeychain {
    static let groups = ["TEAM.mail", "TEAM.shared"]

    private static let noon = 762_523_200.0
    private static let boot = DeviceInstant(bootID: Array(repeating: 7, count: 16), uptime: .zero)

    /// Without a prompter nobody can be asked.
    static func endpoint(prompter: (any Prompter)? = nil) throws -> any Endpoint {
        let random = SeededRandomSource(seed: 1)
        let storage = MemoryStorage()
        let device = try Device(
            opening: storage,
            element: SoftwareSecureElement(storage: storage, random: random),
            stretchingCost: { Argon2id.Cost(memoryKiB: 64, passes: 1, lanes: 1) },
            random: random,
            at: boot
        )
        let engine = try Engine(
            device: device,
            store: ItemStore(opening: nil),
            environment: EngineEnvironment(
                now: { noon },
                instant: { boot },
                random: random
            ),
            profiles: EmbeddedKeychain.profiles
        )
        let entitlements = Entitlements(keychainAccessGroups: groups)
        let caller = Caller(entitlements: entitlements, system: EmbeddedKeychain.profiles.system)
        return EngineEndpoint(
            engine: engine,
            caller: caller,
            prompter: prompter,
            note: { _ in }
        )
    }

    /// Runs one command line, whose first word is the program.
    static func run(
        _ words: [String],
        on endpoint: any Endpoint,
        _ terminal: TestTerminal = TestTerminal(),
        handlers: [String: Command.Run] = [:],
        launch: @escaping ProgramLaunch.Execute = { _ in }
    ) -> Int32 {
        let invocation = Invocation(
            program: words[0],
            terminal: terminal,
            handlers: handlers,
            connect: { () throws(KeychainError) in endpoint },
            launch: launch
        )
        // What asks through Keychain Services finds the same keychain.
        return RequestRouter.$current.withValue(endpoint) {
            invocation.run(Array(words.dropFirst()))
        }
    }
}
