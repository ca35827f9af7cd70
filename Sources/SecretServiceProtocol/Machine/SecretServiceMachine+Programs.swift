// Separated programs. Each has its own view of the keychain, its own session collection and its own
// signals.
extension SecretServiceMachine {
    /// Switches to the view of a client's program.
    ///
    /// - Throws: `limitsExceeded` if there are too many programs.
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

    /// Forgets a client.
    ///
    /// A program without clients keeps its session collection only if it has items.
    mutating func forgetProgram(of client: String) {
        guard let program = programs.removeValue(forKey: client) else { return }
        let isOver = !programs.values.contains(program)
        if isOver, memories[program]?.isEmpty ?? true { memories[program] = nil }
    }

    /// Announces to the program that the shared collection is open for it.
    mutating func announceGrant() {
        let login = ObjectPath.collection(CollectionRecord.login.name).text
        changed(login, InterfaceTable.collectionName, ["Locked": .flag(false)])
        signal(.service, "CollectionChanged", [.path(login)])
    }

    /// Returns a copy of the signal for each client that may receive it.
    ///
    /// A signal about a program's own collection goes to the clients of that program. A signal
    /// about the shared collection goes to all programs with a grant. A signal about the service
    /// or a session collection goes to the clients of the current program.
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
    /// The collection of the signal; nil for the service itself.
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
