import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts
import PKCS11Token
import Secrets

@_implementationOnly import PKCS11Functions

// Definitions  "loaded": between `C_Initialize` and `C_Finalize` of one process.
// Laws  (1) A module serves the process that initialized it. A forked child has none: it must not
//           speak over its parent's connections, and it initializes one of its own.
//       (2) The lock over the module is held for the time of a copy, and a forked child gets a new
//           one, because a thread that does not exist there may hold it.

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
        keychain_pkcs11_on_fork {
            // The parent's is kept, not closed: its sockets and its lock belong to the parent.
            _ = Unmanaged.passRetained(LoadedModule.slot)
            LoadedModule.slot = Slot()
        } == 0
    }()

    static var current: TokenModule? { slot.module.withLock { $0 } }

    /// Makes the module.
    ///
    /// - Throws: `cryptokiAlreadyInitialized`, `functionFailed` if forks cannot be watched.
    static func initialize() throws(ReturnCode) {
        guard watchesForks else { throw .functionFailed }
        if let path = keychain_pkcs11_library() {
            HostingLibrary.declare(path: String(cString: path))
        }
        let made = TokenModule(passcodes: .machine) { () throws(KeychainError) in
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
            guard case .typed(let passcode)? = prompter?.answer(Prompt(.passcode, reason: reason))
            else { return nil }
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
    guard let module = LoadedModule.current else {
        return ReturnCode.cryptokiNotInitialized.rawValue
    }
    do throws(ReturnCode) { try body(module) } catch { return error.rawValue }
    return ReturnCode.ok.rawValue
}
