import Cryptography

// Definitions  "client": a connection to the bus, by its unique name. The bus never uses one twice.
// Invariants   (1) A session and a prompt serve only the client that made them.
//              (2) Numbers of sessions and prompts are never used again.
//              (3) A client's sessions and prompts end when it leaves the bus.
//              (4) A call that fails has not changed the state of the machine.

/// The Secret Service as a state machine: calls go in, replies and signals come out.
///
/// It has no clock, no bus and no dialogs. Stores provide items, and a source provides randomness.
///
/// ```swift
/// let call = BusCall(sender: ":1.7", path: session, interface: name, member: "Close")
/// let response = machine.handle(call)
/// ```
/// - Source: Documentation/Spec/secret-service.md.
package struct SecretServiceMachine {
    /// The keychain's items.
    let base: any SecretItemStore
    /// The common session collection of programs that are not separated.
    let commonMemory: MemoryItemStore
    /// The view of the keychain for the current call's program.
    var store: any SecretItemStore
    /// The session collection of the current call's program.
    var memory: MemoryItemStore
    /// The program of the current call; nil if programs are not separated.
    var program: String?
    /// The clients of separated programs, with their programs.
    var programs: [String: String] = [:]
    /// The session collections of separated programs.
    var memories: [String: MemoryItemStore] = [:]
    let limits: ServiceLimits
    let random: any RandomSource

    var sessions: [UInt64: HeldSession] = [:]
    var prompts: [UInt64: PendingPrompt] = [:]
    /// The number of sessions of each client that has any.
    var sessionCounts: [String: Int] = [:]
    var lastNumber: UInt64 = 0
    /// The lock state that clients know; nil before the first query.
    var knownLock: Bool?
    /// The item that the current call has read, so that `GetAll` reads it only once.
    var readItem: (name: ItemName, item: StoredItem?)?
    /// The signals of the current call.
    var signals: [BusSignal] = []
    var work: [PromptWork] = []

    struct HeldSession {
        let client: String
        let session: SecretSession
    }

    /// Makes a service without sessions.
    ///
    /// - Parameters:
    ///   - store: The keychain's items.
    ///   - memory: The session collection.
    ///   - random: The source of exponents, initialization vectors and names.
    ///   - limits: The limits for clients.
    package init(
        store: any SecretItemStore,
        memory: MemoryItemStore,
        random: any RandomSource,
        limits: ServiceLimits = ServiceLimits()
    ) {
        base = store
        commonMemory = memory
        self.store = store
        self.memory = memory
        self.random = random
        self.limits = limits
    }

    /// The results of a call.
    package struct Response: Sendable {
        /// The results, in the order of the method's row.
        package let result: Result<[BusValue], SecretServiceError>
        package let signals: [BusSignal]
        package let work: [PromptWork]
    }

    /// Performs a call.
    package mutating func handle(_ call: BusCall) -> Response {
        readItem = nil
        let result: Result<[BusValue], SecretServiceError>
        do throws(SecretServiceError) {
            try use(call.program, for: call.sender)
            result = .success(try perform(call))
        } catch {
            result = .failure(error)
        }
        return Response(result: result, signals: takeSignals(), work: takeWork())
    }

    /// Whether a client has a session or a prompt.
    package var isInUse: Bool { !sessions.isEmpty || !prompts.isEmpty }

    /// Checks the lock state, which another program may have changed.
    ///
    /// - Returns: The signals that announce a change.
    package mutating func noteLockState() -> [BusSignal] {
        if let isLocked = try? base.isLocked { note(isLocked: isLocked) }
        return takeSignals()
    }

    /// Forgets a client that has left the bus.
    ///
    /// - Returns: Dialogs to close.
    package mutating func forget(client: String) -> [PromptWork] {
        if sessionCounts[client] != nil {
            sessions = sessions.filter { $0.value.client != client }
            sessionCounts[client] = nil
        }
        for (number, prompt) in prompts where prompt.client == client {
            prompts[number] = nil
            if prompt.isShown { work.append(.dismiss(number)) }
        }
        forgetProgram(of: client)
        return takeWork()
    }

    mutating func takeSignals() -> [BusSignal] {
        defer { signals = [] }
        return programs.isEmpty ? signals : signals.flatMap(addressed)
    }

    mutating func takeWork() -> [PromptWork] {
        defer { work = [] }
        return work
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}

// Dispatch of calls to rows of the table.
extension SecretServiceMachine {
    private mutating func perform(_ call: BusCall) throws(SecretServiceError) -> [BusValue] {
        guard let named = ObjectPath(call.path, limit: limits.pathByteCount) else {
            return try describeFolder(call)
        }
        let object = try resolve(named)
        let kind = try existingKind(of: object, for: call.sender)
        let method = try Self.method(call, of: kind)
        guard call.signature == method.inputSignature else {
            throw SecretServiceError(
                .invalidArguments,
                "\(method.name) takes (\(method.inputSignature)), not (\(call.signature))"
            )
        }
        return try method.run(
            &self,
            CheckedCall(sender: call.sender, object: object, arguments: call.arguments)
        )
    }

    private static func method(
        _ call: BusCall,
        of kind: ObjectKind
    ) throws(SecretServiceError) -> MethodRow {
        let rows = InterfaceTable.rows(of: kind)
            .filter { call.interface == nil || $0.name == call.interface }
        guard !rows.isEmpty else {
            let name = call.interface ?? ""
            throw SecretServiceError(.unknownInterface, "the object has no interface \(name)")
        }
        let methods = rows.lazy.flatMap(\.methods)
        guard let method = methods.first(where: { $0.name == call.member }) else {
            throw SecretServiceError(.unknownMethod, "there is no method \(call.member)")
        }
        return method
    }

    /// Returns the object behind an alias, or the object itself.
    func resolve(_ object: ObjectPath) throws(SecretServiceError) -> ObjectPath {
        switch object {
        case .alias(let alias): .collection(try collection(ofAlias: alias, object))
        case .aliasedItem(let alias, let item):
            .item(ItemName(collection: try collection(ofAlias: alias, object), identifier: item))
        default: object
        }
    }

    private func collection(
        ofAlias alias: String,
        _ object: ObjectPath
    ) throws(SecretServiceError) -> String {
        guard let name = try collectionName(ofAlias: alias) else {
            throw .noSuchObject(object.text)
        }
        return name
    }

    /// Returns the kind of an existing object.
    ///
    /// Items are not looked up here, because that would cost each call a search. Methods do so if
    /// needed.
    private func existingKind(
        of object: ObjectPath,
        for client: String
    ) throws(SecretServiceError) -> ObjectKind {
        switch object {
        case .service: return .service
        case .collection:
            _ = try record(of: object)
            return .collection
        case .item: return .item
        case .session(let number):
            guard sessions[number]?.client == client else { throw .noSession }
            return .session
        case .prompt(let number):
            guard prompts[number]?.client == client else { throw .noSuchObject(object.text) }
            return .prompt
        case .alias, .aliasedItem: throw .noSuchObject(object.text)
        }
    }
}

// The lock state.
extension SecretServiceMachine {
    /// Returns whether the keychain is locked now, and informs clients about a change.
    mutating func isKeychainLocked() throws(SecretServiceError) -> Bool {
        let isLocked = try store.isLocked
        note(isLocked: isLocked)
        return isLocked
    }

    /// Records the lock state, and informs clients about a change.
    mutating func note(isLocked: Bool) {
        defer { knownLock = isLocked }
        guard let known = knownLock, known != isLocked else { return }
        let stored = ((try? base.collections()) ?? [.login]).map(\.name)
        let own = Set(programs.values).compactMap { try? ProgramItemStore.collection(of: $0) }
        for name in stored + own.sorted().filter({ !stored.contains($0) }) {
            let path = ObjectPath.collection(name).text
            changed(path, InterfaceTable.collectionName, ["Locked": .flag(isLocked)])
            signal(.service, "CollectionChanged", [.path(path)])
        }
    }

    /// Returns the store with a collection's items.
    func store(of collection: String) -> any SecretItemStore {
        collection == CollectionRecord.session.name ? memory : store
    }
}

// Signals.
extension SecretServiceMachine {
    mutating func signal(_ object: ObjectPath, _ member: String, _ arguments: [BusValue]) {
        let interface =
            switch object {
            case .service: InterfaceTable.serviceName
            default: InterfaceTable.collectionName
            }
        signals.append(BusSignal(object.text, interface, member, arguments))
    }

    mutating func changed(
        _ path: String,
        _ interface: String,
        _ properties: [String: BusValue]
    ) {
        signals.append(
            BusSignal(
                path,
                InterfaceTable.propertiesName,
                "PropertiesChanged",
                [.text(interface), .properties(properties), .texts([])]
            )
        )
    }
}
