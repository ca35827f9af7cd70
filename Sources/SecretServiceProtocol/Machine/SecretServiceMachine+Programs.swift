// Programs that are kept apart: each has its own view of the keychain, its own session collection
// and signals of its own.
extension SecretServiceMachine {
    /// Turns to what the program of a client sees.
    ///
    /// - Throws: `limitsExceeded` for too many programs.
    mutating func use(_ program: String?, for client: String) throws(SecretServiceError) {
        self.program = program
        guard let program else {
            (store, memory) = (base, commonMemory)
            return
        }
        if memories[program] == nil {
            guard memories.count < limits.programs else {
                throw SecretServiceError(.limitsExceeded, "too many programs")
            }
            memories[program] = commonMemory.anew()
        }
        programs[client] = program
        store = try ProgramItemStore(base, of: program)
        memory = memories[program] ?? commonMemory
    }

    /// A program without clients keeps its session collection only if there is something in it.
    mutating func forgetProgram(of client: String) {
        guard let program = programs.removeValue(forKey: client) else { return }
        let isOver = !programs.values.contains(program)
        if isOver, memories[program]?.isEmpty ?? true { memories[program] = nil }
    }

    /// Tells the program that the shared collection is open for it.
    mutating func announceGrant() {
        let login = ObjectPath.collection(CollectionRecord.login.name).text
        changed(login, InterfaceTable.collectionName, ["Locked": .flag(false)])
        signal(.service, "CollectionChanged", [.path(login)])
    }

    /// A signal for each client that may learn of it.
    ///
    /// What a program does to its own collections, its own clients learn. Of the shared collection
    /// everybody learns who was granted it, and of the lock all whose collection it is.
    func addressed(_ signal: BusSignal) -> [BusSignal] {
        guard signal.receiver == nil else { return [signal] }
        let collection = signal.collection
        let grants = (try? base.grants()) ?? []
        return programs.sorted { $0.key < $1.key }.compactMap { client, program in
            let isMeant =
                switch collection {
                case nil, CollectionRecord.session.name: program == self.program
                case CollectionRecord.login.name: grants.contains(program)
                case let name?: Self.isCollection(name, of: program)
                }
            return isMeant ? signal.addressed(to: client) : nil
        }
    }

    private static func isCollection(_ name: String, of program: String) -> Bool {
        guard let own = try? ProgramItemStore.collection(of: program) else { return false }
        return name == own || name.hasPrefix(own + "_")
    }
}

extension BusSignal {
    /// The collection that the signal tells of; nil for the service itself.
    fileprivate var collection: String? {
        var object = ObjectPath(path)
        if object == .service, case .path(let named)? = arguments.first {
            object = ObjectPath(named)
        }
        switch object {
        case .collection(let name): return name
        case .item(let item): return item.collection
        default: return nil
        }
    }
}
