import Cryptography
import Secrets

// Definitions  "volatile key": a key that a client added; only the agent holds it.
//              "kept key": a key of the keychain; the machine knows only which ones are hidden.
// Invariants   (1) No two volatile keys have the same blob.
//              (2) No step is returned for a volatile key whose lifetime is over.
//              (3) While the agent is locked, no reply reveals anything about a key.

/// The agent as a state machine, which decides about each request.
///
/// It neither waits nor prompts. Time and random bytes are arguments.
package struct AgentMachine: Sendable {
    /// The greatest number of volatile keys.
    static let keyLimit = 1024
    /// The greatest size of their identities, in bytes.
    ///
    /// A reply has room for them and for kept keys.
    static let identitiesByteCountLimit = AgentFrame.byteCountLimit / 4 * 3
    /// The number of random bytes that a salt needs.
    package static let saltByteCount = AgentLock.saltByteCount

    /// A step for the owner of the socket.
    package enum Step: Sendable {
        case reply(AgentReply)
        /// Waits before the reply, because a client is guessing passphrases.
        case replyAfter(Duration, AgentReply)
        /// Replies with these identities and the kept ones; see `identities(_:adding:)`.
        case list([AgentIdentity])
        /// Signs, and prompts the user first if the order requires it.
        case sign(SigningOrder)
        /// Calls `hide` with the offered kept key that has this blob, or fails if there is none.
        case hideKept(blob: [UInt8])
        /// Calls `hide` with the items of all kept keys, including those that are unreadable now.
        case hideAllKept
    }

    fileprivate struct VolatileKey: Sendable {
        let key: SSHPrivateKey
        let comment: String
        let constraints: KeyConstraints
        /// The uptime at which the key's lifetime ends; nil for no end.
        let end: Duration?
    }

    private var keys: [VolatileKey] = []
    private var lock: AgentLock?
    /// The items of kept keys that clients removed.
    ///
    /// Each hides the key with its certificates, until another item has the key.
    package private(set) var hiddenItems: Set<[UInt8]> = []
    private var hiddenCertificates: Set<[UInt8]> = []
    private let lifetimeSeconds: UInt32?
    private let fingerprintHash: FingerprintHash
    private let lockCost: Argon2id.Cost

    /// Makes an agent without keys.
    ///
    /// - Parameters:
    ///   - lifetimeSeconds: The lifetime of keys that come without one; nil for no end.
    ///   - fingerprintHash: The hash of fingerprints in prompts.
    ///   - lockCost: The cost of one guess at the passphrase of a locked agent.
    package init(
        lifetimeSeconds: UInt32? = nil,
        fingerprintHash: FingerprintHash = .sha256,
        lockCost: Argon2id.Cost = .minimum
    ) {
        self.lifetimeSeconds = lifetimeSeconds
        self.fingerprintHash = fingerprintHash
        self.lockCost = lockCost
    }

    package var isLocked: Bool { lock != nil }

    /// The number of volatile keys.
    package var keyCount: Int { keys.count }

    /// The uptime at which the next lifetime of a volatile key ends.
    package var nextEnd: Duration? { keys.compactMap(\.end).min() }

    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - connection: The state of the connection that the request came over.
    ///   - moment: The time of the request.
    ///   - salt: 16 random bytes, for a lock.
    /// - Returns: The step to perform.
    package mutating func handle(
        _ request: AgentRequest,
        on connection: inout AgentConnection,
        at moment: AgentMoment,
        salt: [UInt8]
    ) -> Step {
        expire(at: moment.uptime)
        guard lock == nil else { return handleLocked(request, &connection, moment) }
        switch request {
        case .identities: return .list(visible(on: connection, moment).map(\.identity))
        case .sign(let request): return sign(request, connection, moment)
        case .add(let added): return .reply(add(added, moment))
        case .remove(let blob): return remove(blob, connection, moment)
        case .removeAll:
            keys = []
            return .hideAllKept
        case .lock(let passphrase): return .reply(close(passphrase, salt))
        case .query: return .reply(.extensions)
        case .bind(let binding):
            return .reply(connection.bind(binding) ? .success : .extensionFailure)
        case .unlock, .smartcard, .unknownExtension, .unknown: return .reply(.failure)
        }
    }

    /// Forgets volatile keys whose lifetime is over.
    package mutating func expire(at uptime: Duration) {
        keys.removeAll { $0.end.map { $0 <= uptime } ?? false }
    }

    /// Whether a key may still sign after the user has agreed.
    ///
    /// Meanwhile the agent may have been locked, or the key removed, or its lifetime may have
    /// ended.
    package mutating func stillPermits(_ order: SigningOrder, at uptime: Duration) -> Bool {
        expire(at: uptime)
        return lock == nil && keys.contains { $0.key.publicKey == order.key }
    }

    private mutating func handleLocked(
        _ request: AgentRequest,
        _ connection: inout AgentConnection,
        _ moment: AgentMoment
    ) -> Step {
        switch request {
        case .identities: return .reply(.identities([]))
        case .unlock(let passphrase):
            switch lock?.attempt(passphrase.secret, at: moment.uptime) {
            case .wrong(let delay)?: return .replyAfter(delay, .failure)
            case .right?, nil:
                lock = nil
                return .reply(.success)
            }
        case .bind:
            connection.refuseBinding()
            return .reply(.extensionFailure)
        case .sign, .add, .remove, .removeAll, .smartcard, .lock, .query, .unknownExtension,
            .unknown:
            return .reply(.failure)
        }
    }

    private mutating func close(_ passphrase: SharedSecret, _ salt: [UInt8]) -> AgentReply {
        guard let lock = try? AgentLock(passphrase.secret, salt: salt, cost: lockCost) else {
            return .failure
        }
        self.lock = lock
        return .success
    }
}

// Keys.
extension AgentMachine {
    private func visible(
        on connection: AgentConnection,
        _ moment: AgentMoment
    ) -> [VolatileKey] {
        keys.filter { key in
            connection.permitsListing(key.constraints.destinations, at: moment.secondsSince1970)
        }
    }

    private mutating func add(_ added: AgentRequest.AddedKey, _ moment: AgentMoment) -> AgentReply {
        let lifetime = added.constraints.lifetimeSeconds ?? lifetimeSeconds
        let key = VolatileKey(
            key: added.key,
            comment: added.comment,
            constraints: added.constraints,
            end: lifetime.map { moment.uptime + .seconds(Int64($0)) }
        )
        let index = keys.firstIndex { $0.key.publicKey == added.key.publicKey }
        let replaced = index.map { keys[$0].identity.byteCount } ?? 0
        let byteCount = keys.reduce(key.identity.byteCount - replaced) {
            $0 + $1.identity.byteCount
        }
        guard index != nil || keys.count < Self.keyLimit,
            byteCount <= Self.identitiesByteCountLimit
        else { return .failure }
        if let index { keys[index] = key } else { keys.append(key) }
        return .success
    }

    private mutating func remove(
        _ blob: [UInt8],
        _ connection: AgentConnection,
        _ moment: AgentMoment
    ) -> Step {
        guard let index = keys.firstIndex(where: { $0.key.publicKey.blob == blob }) else {
            return keptKey(of: blob) == nil ? .reply(.failure) : .hideKept(blob: blob)
        }
        let destinations = keys[index].constraints.destinations
        guard connection.permitsListing(destinations, at: moment.secondsSince1970) else {
            return .reply(.failure)
        }
        keys.remove(at: index)
        return .reply(.success)
    }

    private func sign(
        _ request: AgentRequest.SignRequest,
        _ connection: AgentConnection,
        _ moment: AgentMoment
    ) -> Step {
        guard let volatile = keys.first(where: { $0.key.publicKey.blob == request.blob }) else {
            guard let key = keptKey(of: request.blob),
                let scheme = SSHSignatureScheme(key.type, flags: request.flags)
            else { return .reply(.failure) }
            return .sign(
                SigningOrder(key, .kept, scheme, request.data, connection, fingerprintHash)
            )
        }
        let key = volatile.key.publicKey
        let isPermitted = connection.permitsSigning(
            volatile.constraints.destinations,
            request.data,
            by: key,
            at: moment.secondsSince1970
        )
        guard isPermitted, let scheme = SSHSignatureScheme(key.type, flags: request.flags) else {
            return .reply(.failure)
        }
        var order = SigningOrder(
            key,
            .volatile(volatile.key.key),
            scheme,
            request.data,
            connection,
            fingerprintHash
        )
        order.comment = volatile.comment
        order.needsConfirmation = volatile.constraints.needsConfirmation
        return .sign(order)
    }
}

// Kept keys.
extension AgentMachine {
    /// Whether kept keys are offered at all.
    package var offersKept: Bool { lock == nil }

    /// Returns the key or certificate with a blob, if kept ones may be offered; otherwise nil.
    ///
    /// The caller checks whether its item is hidden, because only the caller knows the item.
    private func keptKey(of blob: [UInt8]) -> SSHPublicKey? {
        guard offersKept, let key = try? SSHPublicKey(blob: blob), mayOffer(key) else { return nil }
        return key
    }

    /// Whether a kept key or certificate may be offered.
    ///
    /// A volatile key replaces every form of the same kept key.
    private func mayOffer(_ key: SSHPublicKey) -> Bool {
        guard !keys.contains(where: { $0.key.publicKey.hasSameKey(as: key) }) else { return false }
        return !hiddenCertificates.contains(key.blob)
    }

    /// Whether a kept key or certificate is offered.
    ///
    /// A hidden key hides its certificates, because anybody can make a certificate for a key, and
    /// so a new blob.
    package func offers(_ kept: AgentIdentity) -> Bool {
        offersKept && mayOffer(kept.key) && kept.item.map { !hiddenItems.contains($0) } ?? true
    }

    /// Returns the reply to a listing.
    ///
    /// If a client has added a kept key, too, only the volatile one is offered, or none.
    package func identities(
        _ listed: [AgentIdentity],
        adding kept: [AgentIdentity]
    ) -> AgentReply {
        guard offersKept else { return .identities([]) }
        return .identities(listed + kept.filter(offers))
    }

    /// Stops offering a kept key or certificate.
    package mutating func hide(_ kept: AgentIdentity) {
        if kept.key.certificate != nil {
            hiddenCertificates.insert(kept.key.blob)
        } else if let item = kept.item {
            hiddenItems.insert(item)
        }
    }

    /// Stops offering the keys of these items; items that are made or added later are offered.
    package mutating func hide(_ items: [[UInt8]]) { hiddenItems.formUnion(items) }

    /// Offers every kept key again.
    package mutating func showAllKept() {
        hiddenItems = []
        hiddenCertificates = []
    }
}

extension AgentMachine.VolatileKey {
    fileprivate var identity: AgentIdentity { AgentIdentity(key.publicKey, comment: comment) }
}
