// The names of AuthenticationServices for credential providers. There is no browser:
// Documentation/Shims.md.

public import Foundation
import Synchronization

/// A user name with its password, as a credential provider returns it.
public final class ASPasswordCredential: NSObject, Sendable {
    /// The name of the account.
    public let user: String
    /// The password: an ordinary string, which is not wiped.
    public let password: String

    /// Creates a credential.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

/// The service that an app or a page wants to sign in to.
public final class ASCredentialServiceIdentifier: NSObject, Sendable {
    /// The kind of an identifier.
    ///
    /// A number without a name is also a value, so a `switch` needs a `default`.
    public enum IdentifierType: RawRepresentable, Hashable, Sendable {
        /// A domain name.
        case domain
        /// A URL.
        case URL
        /// A number without a name, as an enumeration imported from C can have.
        case _other(Int)

        private static let named: [Self] = [.domain, .URL]

        /// Creates the value of a number; it is never nil.
        public init?(rawValue: Int) {
            self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
        }

        /// The number.
        public var rawValue: Int {
            switch self {
            case .domain: 0
            case .URL: 1
            case ._other(let number): number
            }
        }
    }

    /// The domain name or the URL.
    public let identifier: String
    /// The kind of the identifier.
    public let type: IdentifierType

    /// Creates an identifier.
    public init(identifier: String, type: IdentifierType) {
        self.identifier = identifier
        self.type = type
    }
}

/// An account for which a credential provider can sign in.
public protocol ASCredentialIdentity: NSObjectProtocol, Sendable {
    /// The service.
    var serviceIdentifier: ASCredentialServiceIdentifier { get }
    /// The name of the account.
    var user: String { get }
    /// The provider's own name of the record.
    var recordIdentifier: String? { get }
    /// The rank; identities with a higher one precede others.
    var rank: Int { get set }
}

/// An account for which a credential provider has a password.
public final class ASPasswordCredentialIdentity: NSObject, ASCredentialIdentity {
    /// The service.
    public let serviceIdentifier: ASCredentialServiceIdentifier
    /// The name of the account.
    public let user: String
    /// The provider's own name of the record.
    public let recordIdentifier: String?
    /// The rank; identities with a higher one precede others.
    public var rank: Int {
        get { currentRank.withLock { $0 } }
        set { currentRank.withLock { $0 = newValue } }
    }
    private let currentRank = Mutex(0)

    /// Creates an identity.
    public init(
        serviceIdentifier: ASCredentialServiceIdentifier,
        user: String,
        recordIdentifier: String?
    ) {
        self.serviceIdentifier = serviceIdentifier
        self.user = user
        self.recordIdentifier = recordIdentifier
    }
}

/// A browser session for signing in; Linux has none.
@available(*, unavailable, message: "there is no browser session here; sign in without one")
public final class ASWebAuthenticationSession: NSObject {}

/// Sign in with Apple; only Apple's platforms offer it.
@available(*, unavailable, message: "Sign in with Apple works on Apple's platforms only")
public final class ASAuthorizationAppleIDProvider: NSObject {}

/// A request to the user to sign in; only Apple's platforms offer it.
@available(*, unavailable, message: "authorization requests work on Apple's platforms only")
public final class ASAuthorizationController: NSObject {}
