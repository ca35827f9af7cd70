import KeychainMessages
import KeychainModel
import Secrets

// Definitions  "mask": 128 random bits of one session, known only to the daemon.
// Laws         (1) Contexts of two sessions are never the same, with any names.
//              (2) A name in one session always means the same context, even after its end,
//                  because an end may arrive before a call that uses the context.
//              (3) The end of a session ends all contexts that it used.

/// The renaming of one session's contexts to names that no other session has.
final class ContextScope: Sendable {
    /// The most contexts of a session at a time.
    static let limit = 1024

    private let mask: SessionID
    private let used = AdaptiveMutex<Set<SessionID>>([])

    init(mask: SessionID = SessionID()) { self.mask = mask }

    /// Returns the daemon's name of a context.
    private func name(_ session: SessionID) -> SessionID {
        SessionID(high: session.high ^ mask.high, low: session.low ^ mask.low)
    }

    /// Returns the request with the daemon's names of contexts.
    ///
    /// - Throws: `errSecNotAvailable` for a program with too many contexts.
    func scoped(_ request: Request) throws(KeychainError) -> Request {
        switch request {
        case .items(let request): .items(try scoped(request))
        case .elementKey(let request): .elementKey(try scoped(request))
        case .authenticate(let request): .authenticate(try scoped(request))
        case .device, .maintenance, .fileKeys, .synchronization: request
        }
    }

    /// Returns the contexts that the session used and did not end, and forgets them.
    func takeAll() -> [SessionID] {
        used.withLock { used in
            defer { used = [] }
            return Array(used)
        }
    }

    private func scoped(_ context: ContextReference) throws(KeychainError) -> ContextReference {
        let name = name(context.session)
        let isKept = used.withLock { used in
            guard used.count < Self.limit || used.contains(name) else { return false }
            used.insert(name)
            return true
        }
        guard isKept else {
            let reason =
                "the program uses more than \(Self.limit) contexts at a time; invalidate those that"
                + " it does not need"
            throw KeychainError(.notAvailable, reason)
        }
        return context.with(session: name)
    }

    private func ended(_ session: SessionID) -> SessionID {
        let name = name(session)
        used.withLock { _ = $0.remove(name) }
        return name
    }
}

// The parts of a request that name a context.
extension ContextScope {
    private func scoped(_ request: ItemRequest) throws(KeychainError) -> ItemRequest {
        switch request {
        case .add(let dictionary): .add(try scoped(dictionary))
        case .copyMatching(let dictionary): .copyMatching(try scoped(dictionary))
        case .update(let dictionary, let changes):
            .update(try scoped(dictionary), with: try scoped(changes))
        case .delete(let dictionary): .delete(try scoped(dictionary))
        case .list(let dictionary): .list(try scoped(dictionary))
        case .addAll(let dictionaries, let duplicates):
            .addAll(try all(dictionaries), duplicates: duplicates)
        case .replaceAccessControl(let dictionary, let flags, let protection):
            .replaceAccessControl(try scoped(dictionary), flags: flags, protection: protection)
        }
    }

    private func all(
        _ dictionaries: [AttributeDictionary]
    ) throws(KeychainError) -> [AttributeDictionary] {
        try dictionaries.map { dictionary throws(KeychainError) in try scoped(dictionary) }
    }

    private func scoped(_ request: ElementKeyRequest) throws(KeychainError) -> ElementKeyRequest {
        switch request {
        case .make(let dictionary, let isPermanent, let publicHalf):
            var half = publicHalf
            if let publicHalf { half = try scoped(publicHalf) }
            return .make(try scoped(dictionary), isPermanent: isPermanent, publicHalf: half)
        case .check: return request
        case .use(let handle, let algorithm, let use, let terms):
            var scopedTerms = terms
            if let context = terms.context { scopedTerms.context = try scoped(context) }
            return .use(handle, algorithm: algorithm, use, scopedTerms)
        }
    }

    private func scoped(
        _ request: AuthenticationRequest
    ) throws(KeychainError) -> AuthenticationRequest {
        switch request {
        case .evaluate(let constraint, let context): .evaluate(constraint, try scoped(context))
        case .canEvaluate(let constraint, let context):
            .canEvaluate(constraint, try scoped(context))
        case .biometryStatus: request
        case .end(let session): .end(ended(session))
        }
    }

    private func scoped(
        _ dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var scopedDictionary = dictionary
        for (key, value) in dictionary.values {
            guard case .authentication(let context) = value else { continue }
            scopedDictionary[key] = .authentication(try scoped(context))
        }
        return scopedDictionary
    }
}

extension ContextReference {
    /// Returns the same context under another name.
    fileprivate func with(session: SessionID) -> ContextReference {
        ContextReference(
            session: session,
            forbidsInteraction: forbidsInteraction,
            reuse: reuse,
            reason: reason,
            fallbackTitle: fallbackTitle,
            applicationPassword: applicationPassword,
            isInvalidated: isInvalidated
        )
    }
}
