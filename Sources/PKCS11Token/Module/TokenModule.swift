import KeychainMessages
import KeychainModel
import Secrets
import StoredKeys

// Definitions  "slot": an access group that the program may use, numbered in order of discovery.
//              "handle": the number of a session or an object; none is used twice.
// Invariants   (1) A slot keeps its number until the module ends.
//              (2) No thread waits for the keychain, a prompt or a computation while it holds the
//                  lock over the state.
//              (3) While a thread works on an operation, its session does not have it. A second
//                  thread finds it active, and cannot continue it.
//              (4) Objects, operations and a search end with their session.
//              (5) A private object is accessible only while its slot is not logged out. The
//                  keychain decides at each use whether it is locked, not when an operation
//                  begins.

/// One initialized PKCS #11 module, without the pointers of its C functions.
package final class TokenModule: Sendable {
    /// The prompt for the passcode, if a program passes none.
    package struct PasscodeSource: Sendable {
        /// Whether a prompt is possible.
        package let isAvailable: @Sendable () -> Bool
        /// Prompts for the passcode; returns nil if the user does not answer.
        package let ask: @Sendable () -> SharedSecret?

        package init(
            isAvailable: @escaping @Sendable () -> Bool,
            ask: @escaping @Sendable () -> SharedSecret?
        ) {
            self.isAvailable = isAvailable
            self.ask = ask
        }

        /// A source that never prompts.
        package static let nobody = PasscodeSource(isAvailable: { false }, ask: { nil })
    }

    /// The greatest number of sessions in a process.
    package static let sessionLimit = 1024
    /// The greatest number of objects in sessions.
    package static let sessionObjectLimit = 4096
    /// The greatest number of slots.
    package static let slotLimit = 64

    let keychain: TokenKeychain
    let passcodes: PasscodeSource
    /// Whether a general search for keys also finds keys of newer types.
    let listsEverything: Bool
    let state: AdaptiveMutex<TokenState>

    /// Makes a module for a keychain.
    ///
    /// - Parameters:
    ///   - passcodes: The prompt for the passcode.
    ///   - listsEverything: Whether a general search for keys also finds those on Curve25519.
    ///   - last: The last number that this module does not use as a handle, because others may.
    ///   - connect: Connects to the keychain, for each request.
    package init(
        passcodes: PasscodeSource = .nobody,
        listsEverything: Bool = false,
        handlesAfter last: UInt = 0,
        connect: @escaping @Sendable () throws(KeychainError) -> any Endpoint
    ) {
        self.passcodes = passcodes
        self.listsEverything = listsEverything
        state = AdaptiveMutex(TokenState(lastHandle: last))
        keychain = TokenKeychain(connect: connect)
    }
}

/// The state of a module.
struct TokenState: Sendable {
    /// The visibility of a slot's private objects.
    enum Login: Sendable, Hashable {
        /// The keychain's lock state decides.
        case automatic
        /// The program gave the passcode in this module.
        case user
        /// The program called `C_Logout`.
        case out
    }

    struct Slot: Sendable {
        let group: String
        var isPresent = true
        var login = Login.automatic
    }

    struct ItemKey: Hashable, Sendable {
        let slot: UInt
        let item: TokenObject.StoredItem
    }

    var slots: [Slot] = []
    var sessions: [UInt: TokenSession] = [:]
    var objects: [UInt: TokenObject] = [:]
    private var handles: [ItemKey: UInt] = [:]
    private var sessionObjectCount = 0
    private var lastHandle: UInt

    init(lastHandle: UInt) { self.lastHandle = lastHandle }

    func session(_ handle: UInt) throws(ReturnCode) -> TokenSession {
        guard let session = sessions[handle] else { throw .sessionHandleInvalid }
        return session
    }

    func slot(_ number: UInt) throws(ReturnCode) -> Slot {
        guard let index = Int(exactly: number), slots.indices.contains(index) else {
            throw .slotIDInvalid
        }
        return slots[index]
    }

    /// Returns the object with a handle, if it is visible to the session.
    ///
    /// - Throws: `objectHandleInvalid`, also for a private object while the slot is logged out.
    func object(
        _ handle: UInt,
        for session: TokenSession
    ) throws(ReturnCode) -> TokenObject {
        guard let object = objects[handle], object.slot == session.slot else {
            throw .objectHandleInvalid
        }
        guard !object.isPrivate || slots[Int(object.slot)].login != .out else {
            throw .objectHandleInvalid
        }
        return object
    }

    /// Returns the object with the handle of a key.
    ///
    /// - Throws: `keyHandleInvalid`.
    func key(_ handle: UInt, for session: TokenSession) throws(ReturnCode) -> TokenObject {
        do throws(ReturnCode) { return try object(handle, for: session) } catch {
            throw .keyHandleInvalid
        }
    }

    mutating func newHandle() -> UInt {
        lastHandle += 1
        return lastHandle
    }

    /// Stores an object of the token under its item's handle, or an object of a session.
    ///
    /// - Throws: `deviceMemory` if the sessions have too many objects.
    mutating func remember(_ object: TokenObject) throws(ReturnCode) -> UInt {
        guard let item = object.item else {
            guard sessionObjectCount < TokenModule.sessionObjectLimit else {
                throw .deviceMemory
            }
            sessionObjectCount += 1
            let handle = newHandle()
            objects[handle] = object
            return handle
        }
        let key = ItemKey(slot: object.slot, item: item)
        let handle = handles[key] ?? newHandle()
        handles[key] = handle
        objects[handle] = object.keepingPublicKey(of: objects[handle])
        return handle
    }

    mutating func forget(_ handle: UInt) {
        guard let object = objects.removeValue(forKey: handle) else { return }
        if let item = object.item {
            handles[ItemKey(slot: object.slot, item: item)] = nil
        } else {
            sessionObjectCount -= 1
        }
    }

    /// Closes a session, and logs its slot out if it was the last one.
    mutating func close(_ handle: UInt) throws(ReturnCode) {
        guard let session = sessions.removeValue(forKey: handle) else {
            throw .sessionHandleInvalid
        }
        let owned = objects.filter { $0.value.place == .session(handle) }.map(\.key)
        for object in owned { forget(object) }
        guard !sessions.values.contains(where: { $0.slot == session.slot }) else { return }
        slots[Int(session.slot)].login = .automatic
    }
}

extension TokenObject {
    /// Returns the object with the public half that was found earlier.
    fileprivate func keepingPublicKey(of earlier: TokenObject?) -> TokenObject {
        guard case .privateKey(var key) = content, key.publicKey == nil,
            case .privateKey(let known)? = earlier?.content,
            known.publicKeyHash == key.publicKeyHash
        else { return self }
        key.publicKey = known.publicKey
        var object = self
        object.content = .privateKey(key)
        return object
    }
}
