import AutoFill
public import CoreFoundation
public import Foundation
import KeychainHost

/// The domain of ``ASCredentialIdentityStoreError``.
public let ASCredentialIdentityStoreErrorDomain = "ASCredentialIdentityStoreErrorDomain"

/// An error of the identity store.
public struct ASCredentialIdentityStoreError: _ImportedError {
    /// The error as an `NSError`.
    public let _nsError: NSError

    /// Creates an error from an `NSError` of `ASCredentialIdentityStoreErrorDomain`.
    public init(_nsError error: NSError) { _nsError = error }

    /// The domain of these errors.
    public static var errorDomain: String { ASCredentialIdentityStoreErrorDomain }
    /// The domain under the name that Foundation's bridging requires.
    public static var _nsErrorDomain: String { ASCredentialIdentityStoreErrorDomain }

    /// The kinds of failures.
    ///
    /// A number without a name is also a value, so a `switch` needs a `default`.
    public enum Code: RawRepresentable, Hashable, Sendable, _ErrorCodeProtocol {
        /// The error type that the codes belong to.
        public typealias _ErrorType = ASCredentialIdentityStoreError

        /// The store failed.
        case internalError
        /// The user did not choose the app as a credential provider.
        case storeDisabled
        /// The store is in use.
        case storeBusy
        /// A number without a name, as an enumeration imported from C can have.
        case _other(Int)

        private static let named: [Self] = [.internalError, .storeDisabled, .storeBusy]

        /// Creates the value of a number; it is never nil.
        public init?(rawValue: Int) {
            self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
        }

        /// The number.
        public var rawValue: Int {
            switch self {
            case .internalError: 0
            case .storeDisabled: 1
            case .storeBusy: 2
            case ._other(let number): number
            }
        }
    }

    /// The store failed.
    public static var internalError: Code { .internalError }
    /// The user did not choose the app as a credential provider.
    public static var storeDisabled: Code { .storeDisabled }
    /// The store is in use.
    public static var storeBusy: Code { .storeBusy }
}

/// The state of the identity store.
public final class ASCredentialIdentityStoreState: NSObject, Sendable {
    /// Whether the user chose the app as a credential provider.
    public let isEnabled: Bool
    /// Whether the app may save and remove single identities.
    public let supportsIncrementalUpdates: Bool

    init(isEnabled: Bool) {
        self.isEnabled = isEnabled
        supportsIncrementalUpdates = isEnabled
    }
}

/// The accounts of a credential provider that the system knows.
///
/// Each app of a simulated device has a store of its own, which the device enables with
/// `setCredentialProvider(_:)`. In all other cases the store is disabled.
public final class ASCredentialIdentityStore: NSObject, Sendable {
    /// The kinds of identities.
    public struct IdentityTypes: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// Accounts with a password, the only kind here.
        public static let password = IdentityTypes(rawValue: 1)

        /// Creates a set.
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// The store of the app.
    public static let shared = ASCredentialIdentityStore()

    private override init() {}

    /// Returns the state of the store.
    @discardableResult
    public func state() async -> ASCredentialIdentityStoreState {
        ASCredentialIdentityStoreState(isEnabled: list != nil)
    }

    /// Passes the state of the store to a function.
    public func getState(_ completion: @escaping (ASCredentialIdentityStoreState) -> Void) {
        completion(ASCredentialIdentityStoreState(isEnabled: list != nil))
    }

    /// Returns the identities, for one service or all.
    @discardableResult
    public func credentialIdentities(
        forService service: ASCredentialServiceIdentifier?,
        credentialIdentityTypes types: IdentityTypes = []
    ) async -> [any ASCredentialIdentity] {
        (list?.all ?? []).map(ASPasswordCredentialIdentity.init).filter { identity in
            service == nil || identity.serviceIdentifier.identifier == service?.identifier
        }
    }

    /// Adds identities; a known one gets the new rank.
    @discardableResult
    public func saveCredentialIdentities(
        _ identities: [ASPasswordCredentialIdentity]
    ) async throws -> Bool {
        try change { $0.save(identities.map(\.value)) }
    }

    /// Removes identities.
    @discardableResult
    public func removeCredentialIdentities(
        _ identities: [ASPasswordCredentialIdentity]
    ) async throws -> Bool {
        try change { $0.remove(identities.map(\.value)) }
    }

    /// Removes every identity.
    @discardableResult
    public func removeAllCredentialIdentities() async throws -> Bool {
        try change { $0.replace(with: []) }
    }

    /// Removes every identity and adds others, in one step.
    @discardableResult
    public func replaceCredentialIdentities(
        with identities: [ASPasswordCredentialIdentity]
    ) async throws -> Bool {
        try change { $0.replace(with: identities.map(\.value)) }
    }

    private var list: CredentialIdentityList? {
        (RequestRouter.simulated as? any CredentialIdentityHost)?.credentialIdentities
    }

    private func change(_ body: (CredentialIdentityList) -> Void) throws -> Bool {
        guard let list else { throw ASCredentialIdentityStoreError(.storeDisabled) }
        body(list)
        return true
    }
}

// The same functions with a completion handler.
extension ASCredentialIdentityStore {
    /// Adds identities; a known one gets the new rank.
    public func saveCredentialIdentities(
        _ identities: [ASPasswordCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)?
    ) {
        report(completion) { $0.save(identities.map(\.value)) }
    }

    /// Removes identities.
    public func removeCredentialIdentities(
        _ identities: [ASPasswordCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)?
    ) {
        report(completion) { $0.remove(identities.map(\.value)) }
    }

    /// Removes every identity.
    public func removeAllCredentialIdentities(_ completion: ((Bool, (any Error)?) -> Void)?) {
        report(completion) { $0.replace(with: []) }
    }

    /// Removes every identity and adds others, in one step.
    public func replaceCredentialIdentities(
        with identities: [ASPasswordCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)?
    ) {
        report(completion) { $0.replace(with: identities.map(\.value)) }
    }

    private func report(
        _ completion: ((Bool, (any Error)?) -> Void)?,
        _ body: (CredentialIdentityList) -> Void
    ) {
        do {
            completion?(try change(body), nil)
        } catch {
            completion?(false, error)
        }
    }
}

extension ASPasswordCredentialIdentity {
    fileprivate var value: CredentialIdentity {
        CredentialIdentity(
            service: serviceIdentifier.identifier,
            isURL: serviceIdentifier.type == .URL,
            user: user,
            record: recordIdentifier,
            rank: rank
        )
    }

    fileprivate convenience init(_ value: CredentialIdentity) {
        self.init(
            serviceIdentifier: ASCredentialServiceIdentifier(
                identifier: value.service,
                type: value.isURL ? .URL : .domain
            ),
            user: value.user,
            recordIdentifier: value.record
        )
        rank = value.rank
    }
}
