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
// Laws  (1) A module serves the process that initialized it. A forked child has none: it must not
//           speak over its parent's connections, and it initializes one of its own.
//       (2) The lock over the module is held for the time of a copy, and a forked child gets a new
//           one, because a thread that does not exist there may hold it.
//       (3) Whatever a thread does here it does between `enter` and `leave`: a fork waits for it,
//           because the locks behind a module, those of libraries too, are not the child's to free.
//           Nobody waits for the answer of a person: outside of the passcode's dialog, a second.
//       (4) A handle of one module is none of a later one: each counts from another number.

/// The module of this process, if it is initialized.
enum LoadedModule {
    private final class Slot: Sendable {
        let module = AdaptiveMutex<TokenModule?>(nil)
    }

    /// `nonisolated(unsafe)` is sound because it changes only in a forked child, before that has a
    /// second thread.
    private nonisolated(unsafe) static var slot = Slot()

    /// Whether forks are watched, from the first initialization on.
    private static let watchesForks: Bool = {
        keychain_pkcs11_watch_forks {
            // The parent's is kept, not closed: its sockets and its lock belong to the parent.
            _ = Unmanaged.passRetained(LoadedModule.slot)
            LoadedModule.slot = Slot()
        } == 0
    }()

    /// How many modules this process and those that it was forked from made.
    private static let madeCount = Atomic<UInt>(0)

    static var current: TokenModule? { slot.module.withLock { $0 } }

    /// Keeps forks away while the body works.
    static func inside<R>(_ body: () -> R) -> R {
        keychain_pkcs11_enter()
        defer { keychain_pkcs11_leave() }
        return body()
    }

    /// Lets forks happen while the body waits for a person.
    fileprivate static func outside<R>(_ body: () -> R) -> R {
        keychain_pkcs11_leave()
        defer { keychain_pkcs11_enter() }
        return body()
    }

    /// Watches forks from now on; to be called outside.
    ///
    /// - Throws: `functionFailed` if they cannot be watched.
    static func watchForks() throws(ReturnCode) {
        guard watchesForks else { throw .functionFailed }
    }

    /// Makes the module.
    ///
    /// - Throws: `cryptokiAlreadyInitialized`.
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

    /// Ends the module; calls that are under way keep it until they return.
    ///
    /// - Throws: `cryptokiNotInitialized`.
    static func finalize() throws(ReturnCode) {
        let ended = slot.module.withLock { module in
            defer { module = nil }
            return module
        }
        guard ended != nil else { throw .cryptokiNotInitialized }
    }
}

extension TokenModule.PasscodeSource {
    /// Asks with the dialog or the terminal of this machine.
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

/// Runs a function of the module.
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
