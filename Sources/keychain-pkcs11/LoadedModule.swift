import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts
import PKCS11Token
import Secrets
import Synchronization

@_implementationOnly import PKCS11Functions

// Definitions  "loaded": between `C_Initialize` and `C_Finalize` of one process.
// Laws  (1) A module serves the process that initialized it. A forked child has none, because it
//           must not use its parent's connections. It initializes a module of its own.
//       (2) The lock over the module is held only during a copy. A forked child gets a new lock,
//           because a thread that does not exist there may hold the old one.
//       (3) Each thread works here only between `enter` and `leave`, and a fork waits for it. A
//           child could not release the locks behind a module, including those of libraries. A
//           fork never waits for the user: outside of the passcode's dialog it waits at most a
//           second.
//       (4) No handle of one module is valid in a later one: each starts at another number.

/// The module of this process, if it is initialized.
enum LoadedModule {
    private final class Slot: Sendable {
        let module = AdaptiveMutex<TokenModule?>(nil)
    }

    /// `nonisolated(unsafe)` is sound because it changes only in a forked child, before that has a
    /// second thread.
    private nonisolated(unsafe) static var slot = Slot()

    /// Whether forks are watched; true from the first initialization on.
    private static let watchesForks: Bool = {
        keychain_pkcs11_watch_forks {
            // The parent's module is kept, not closed: its sockets and its lock belong to the
            // parent.
            _ = Unmanaged.passRetained(LoadedModule.slot)
            LoadedModule.slot = Slot()
        } == 0
    }()

    /// The number of modules that this process and its ancestors have made.
    private static let madeCount = Atomic<UInt>(0)

    static var current: TokenModule? { slot.module.withLock { $0 } }

    /// Delays forks while `body` works.
    static func inside<R>(_ body: () -> R) -> R {
        keychain_pkcs11_enter()
        defer { keychain_pkcs11_leave() }
        return body()
    }

    /// Permits forks while `body` waits for the user.
    fileprivate static func outside<R>(_ body: () -> R) -> R {
        keychain_pkcs11_leave()
        defer { keychain_pkcs11_enter() }
        return body()
    }

    /// Watches forks from now on.
    ///
    /// Call it outside of `inside`.
    ///
    /// - Throws: `functionFailed` if they cannot be watched.
    static func watchForks() throws(ReturnCode) {
        guard watchesForks else { throw .functionFailed }
    }

    /// Initializes the module.
    ///
    /// - Throws: `cryptokiAlreadyInitialized` if there is one.
    static func initialize() throws(ReturnCode) {
        if let path = keychain_pkcs11_library() {
            HostingLibrary.declare(path: String(cString: path))
        }
        let earlier = madeCount.wrappingAdd(1, ordering: .relaxed).oldValue
        let last = earlier << 32
        let listsEverything = ProcessEnvironment.current["KEYCHAIN_PKCS11_LIST"] == "all"
        let made = TokenModule(
            passcodes: .machine,
            listsEverything: listsEverything,
            handlesAfter: last
        ) {
            () throws(KeychainError) in
            try EmbeddedKeychain.requireKeychain(.current)
            return try RequestRouter.endpoint()
        }
        let isNew = slot.module.withLock { module in
            guard module == nil else { return false }
            module = made
            return true
        }
        guard isNew else { throw .cryptokiAlreadyInitialized }
    }

    /// Ends the module; calls in progress keep it until they return.
    ///
    /// - Throws: `cryptokiNotInitialized` if there is none.
    static func finalize() throws(ReturnCode) {
        let ended = slot.module.withLock { module in
            defer { module = nil }
            return module
        }
        guard ended != nil else { throw .cryptokiNotInitialized }
    }
}

extension TokenModule.PasscodeSource {
    /// A source that prompts with the dialog or terminal of this machine.
    fileprivate static let machine = TokenModule.PasscodeSource(
        isAvailable: { prompter?.hasDialog ?? false },
        ask: {
            let reason = "unlock the keychain"
            let answer = LoadedModule.outside {
                prompter?.answer(Prompt(.passcode, reason: reason))
            }
            guard case .typed(let passcode)? = answer else { return nil }
            return passcode
        }
    )

    private static var prompter: MachinePrompter? {
        let environment = ProcessEnvironment.current
        let settings = try? PromptSettings { environment[$0] }
        return settings.map {
            MachinePrompter(program: environment.executableName, settings: $0)
        }
    }
}

/// Runs a function with the module.
///
/// - Returns: The return code.
func answer(_ body: (TokenModule) throws(ReturnCode) -> Void) -> UInt {
    LoadedModule.inside {
        guard let module = LoadedModule.current else {
            return ReturnCode.cryptokiNotInitialized.rawValue
        }
        do throws(ReturnCode) { try body(module) } catch { return error.rawValue }
        return ReturnCode.ok.rawValue
    }
}
