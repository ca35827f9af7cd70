// The methods of the service itself.
extension SecretServiceMachine {
    mutating func searchService(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .attributes(let attributes) = call.arguments[0] else { throw .wrongArguments }
        let found = try search(attributes, in: nil)
        return [.paths(found.unlocked.map(\.path)), .paths(found.locked.map(\.path))]
    }

    /// Searches in memory and in the keychain, and records the lock state that the keychain
    /// reports.
    mutating func search(
        _ attributes: [String: String],
        in collection: String?
    ) throws(SecretServiceError) -> SearchResult {
        try limits.check(attributes: attributes)
        let session = CollectionRecord.session.name
        var found =
            collection == nil || collection == session
            ? try memory.search(attributes, in: session) : SearchResult()
        guard collection != session else { return found }
        let kept = try store.search(attributes, in: collection)
        if !kept.locked.isEmpty {
            note(isLocked: true)
        } else if !kept.unlocked.isEmpty {
            note(isLocked: false)
        }
        found.unlocked += kept.unlocked
        found.locked += kept.locked
        return found
    }

    mutating func getSecrets(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .paths(let paths) = call.arguments[0], case .path(let place) = call.arguments[1]
        else { throw .wrongArguments }
        try limits.check(paths: paths)
        let session = try session(at: place, of: call.sender)
        var secrets: [(path: String, secret: EncodedSecret)] = []
        var seen = Set<String>()
        var count = 0
        for path in paths where seen.insert(path).inserted {
            guard let secret = try readableSecret(at: path) else { continue }
            count += secret.value.secret.byteCount
            guard count <= limits.replyByteCount else {
                let reason = "secrets of more than \(limits.replyByteCount) bytes in one call"
                throw SecretServiceError(.limitsExceeded, reason)
            }
            secrets.append((path, try session.encode(secret, for: place, random: random)))
        }
        return [.secrets(secrets)]
    }

    /// Returns the value of an item; nil if the item is locked or does not exist.
    private func readableSecret(at path: String) throws(SecretServiceError) -> StoredSecret? {
        do throws(SecretServiceError) {
            guard let object = ObjectPath(path, limit: limits.pathByteCount),
                case .item(let name) = try resolve(object)
            else { return nil }
            return try store(of: name.collection).secret(of: name)
        } catch {
            guard error.kind == .isLocked || error.kind == .noSuchObject else { throw error }
            return nil
        }
    }

    mutating func lock(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .paths(let paths) = call.arguments[0] else { throw .wrongArguments }
        try limits.check(paths: paths)
        let objects = try lockable(paths)
        guard !objects.isEmpty else { return [.paths([]), .path(ObjectPath.none)] }
        let isLocked = try store.lock()
        note(isLocked: isLocked)
        return [.paths(isLocked ? objects : []), .path(ObjectPath.none)]
    }

    mutating func unlock(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .paths(let paths) = call.arguments[0] else { throw .wrongArguments }
        try limits.check(paths: paths)
        let objects = try lockable(paths)
        let inMemory = try existing(paths, inMemory: true)
        if let program, try hasClosed(objects) {
            let prompt = try addPrompt(.grant(program, objects), for: call.sender)
            return [.paths(inMemory), .path(prompt)]
        }
        guard !objects.isEmpty, try isKeychainLocked() else {
            return [.paths(inMemory + objects), .path(ObjectPath.none)]
        }
        let prompt = try addPrompt(.unlock(objects), for: call.sender)
        return [.paths(inMemory), .path(prompt)]
    }

    /// Whether one of the paths is that of a collection that the user has to grant first.
    private func hasClosed(_ paths: [String]) throws(SecretServiceError) -> Bool {
        for path in paths {
            guard let object = ObjectPath(path, limit: limits.pathByteCount),
                case .collection(let name) = try resolve(object), try store.isClosed(name)
            else { continue }
            return true
        }
        return false
    }

    /// Returns the paths of objects that lock with the keychain.
    private func lockable(_ paths: [String]) throws(SecretServiceError) -> [String] {
        try existing(paths, inMemory: false)
    }

    /// Returns the paths of existing collections and items, in the session collection or outside of
    /// it.
    private func existing(
        _ paths: [String],
        inMemory: Bool
    ) throws(SecretServiceError) -> [String] {
        var found: [String] = []
        for path in paths {
            guard let collection = try existing(path)?.collection else { continue }
            if (collection == CollectionRecord.session.name) == inMemory { found.append(path) }
        }
        return found
    }

    /// Returns the collection or item at a path; nil if there is none.
    private func existing(_ path: String) throws(SecretServiceError) -> ObjectPath? {
        do throws(SecretServiceError) {
            guard let named = ObjectPath(path, limit: limits.pathByteCount) else { return nil }
            let object = try resolve(named)
            switch object {
            case .collection: _ = try record(of: object)
            case .item(let name):
                guard try store(of: name.collection).item(name) != nil else { return nil }
            default: return nil
            }
            return object
        } catch {
            guard error.kind == .noSuchObject else { throw error }
            return nil
        }
    }
}

extension ObjectPath {
    /// The collection itself, or the collection of the item.
    fileprivate var collection: String? {
        switch self {
        case .collection(let name): name
        case .item(let item): item.collection
        default: nil
        }
    }
}
