import KeychainMessages
import KeychainModel
import Secrets
import StoredKeys

// Definitions  "slot": an access group that the program may use, by the order in which it was seen.
//              "handle": the number of a session or an object; none is used twice.
// Invariants   (1) A slot keeps its number until the module ends.
//              (2) Nothing waits for the keychain, a person or a computation while it holds the
//                  lock over the state.
//              (3) An operation that a thread works on is not in its session meanwhile: a second
//                  thread finds it active, and none to go on with.
//              (4) What a session holds ends with it: objects, operations, a search.
//              (5) A private object is reached only while its slot is not logged out; whether it
//                  is locked decides the keychain, at each use, and not where a use begins.

/// One initialized PKCS #11 module: everything behind its functions but pointers.
package final class TokenModule: Sendable {
    /// Who asks a person for the passcode, where the program does not.
    package struct PasscodeSource: Sendable {
        /// Whether a person can be asked.
        package let isAvailable: @Sendable () -> Bool
        /// Asks; nil for no answer.
        package let ask: @Sendable () -> SharedSecret?

        package init(
            isAvailable: @escaping @Sendable () -> Bool,
            ask: @escaping @Sendable () -> SharedSecret?
        ) {
            self.isAvailable = isAvailable
            self.ask = ask
        }

        /// Nobody can be asked.
        package static let nobody = PasscodeSource(isAvailable: { false }, ask: { nil })
    }

    /// The most sessions of a process.
    package static let sessionLimit = 1024
    /// The most objects that live in sessions.
    package static let sessionObjectLimit = 4096
    /// The most slots.
    package static let slotLimit = 64

    let keychain: TokenKeychain
    let passcodes: PasscodeSource
    /// Whether keys of newer types are found by a search for any keys.
    let listsEverything: Bool
    let state: AdaptiveMutex<TokenState>

    /// A module in front of a keychain.
    ///
    /// - Parameters:
    ///   - passcodes: Who asks a person for the passcode.
    ///   - listsEverything: Whether a search for any keys finds those on Curve25519, too.
    ///   - last: The last number that is no handle of this module: earlier ones may be of others.
    ///   - connect: Finds the keychain, for every request anew.
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

/// Everything that a module remembers.
struct TokenState: Sendable {
    /// Whether a slot's private objects are seen.
    enum Login: Sendable, Hashable {
        /// As the keychain's lock says.
        case automatic
        /// The passcode was given here.
        case user
        /// `C_Logout` was called.
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

    /// The object of a handle, if the session sees it.
    ///
    /// - Throws: `objectHandleInvalid`, also for what is private and the slot logged out.
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

    /// The object of a handle that should be a key's.
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

    /// Remembers an object of the token under the handle of its item, or one of a session.
    ///
    /// - Throws: `deviceMemory` for too many objects of sessions.
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

    /// Ends a session, and the login of its slot if it was the last one.
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
    /// The same object, with a public half that was found before.
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
