public import CoreFoundation
public import Foundation

/// The domain of ``ASExtensionError``.
public let ASExtensionErrorDomain = "ASExtensionErrorDomain"

/// An error with which a credential provider ends a request.
public struct ASExtensionError: _ImportedError {
    /// The error as an `NSError`.
    public let _nsError: NSError

    /// Creates an error from an `NSError` of `ASExtensionErrorDomain`.
    public init(_nsError error: NSError) { _nsError = error }

    /// The domain of these errors.
    public static var errorDomain: String { ASExtensionErrorDomain }
    /// The domain under the name that Foundation's bridging requires.
    public static var _nsErrorDomain: String { ASExtensionErrorDomain }

    /// The reason why the provider has no credential.
    ///
    /// A number without a name is also a value, so a `switch` needs a `default`.
    public enum Code: RawRepresentable, Hashable, Sendable, _ErrorCodeProtocol {
        /// The error type that the codes belong to.
        public typealias _ErrorType = ASExtensionError

        /// The request failed.
        case failed
        /// The user canceled.
        case userCanceled
        /// The provider needs a user interface first.
        case userInteractionRequired
        /// The provider does not know the identity.
        case credentialIdentityNotFound
        /// A number without a name, as an enumeration imported from C can have.
        case _other(Int)

        private static let named: [Self] = [
            .failed, .userCanceled, .userInteractionRequired, .credentialIdentityNotFound,
        ]

        /// Creates the value of a number; it is never nil.
        public init?(rawValue: Int) {
            self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
        }

        /// The number.
        public var rawValue: Int {
            switch self {
            case .failed: 0
            case .userCanceled: 1
            case .userInteractionRequired: 100
            case .credentialIdentityNotFound: 101
            case ._other(let number): number
            }
        }
    }

    /// The request failed.
    public static var failed: Code { .failed }
    /// The user canceled.
    public static var userCanceled: Code { .userCanceled }
    /// The provider needs a user interface first.
    public static var userInteractionRequired: Code { .userInteractionRequired }
    /// The provider does not know the identity.
    public static var credentialIdentityNotFound: Code { .credentialIdentityNotFound }
}

/// The connection of a provider to the system; a provider ends every request through it.
@MainActor @preconcurrency
public final class ASCredentialProviderExtensionContext: NSObject {
    private var answer: ((Result<ASPasswordCredential?, any Error>) -> Void)?

    /// Ends a request with a credential.
    public func completeRequest(
        withSelectedCredential credential: ASPasswordCredential,
        completionHandler: ((Bool) -> Void)? = nil
    ) {
        let isFirstEnd = finish(.success(credential))
        completionHandler?(isFirstEnd)
    }

    /// Ends a request without a credential, with an ``ASExtensionError``.
    public func cancelRequest(withError error: any Error) { _ = finish(.failure(error)) }

    /// Ends the configuration.
    public func completeExtensionConfigurationRequest() { _ = finish(.success(nil)) }

    /// Runs a function that starts a request, and waits for the end of the request.
    func end(
        of request: () -> Void
    ) async -> Result<ASPasswordCredential?, any Error> {
        await withCheckedContinuation { continuation in
            answer = { continuation.resume(returning: $0) }
            request()
        }
    }

    /// Ends the present request; a second end has no effect.
    private func finish(_ result: Result<ASPasswordCredential?, any Error>) -> Bool {
        guard let answer else { return false }
        self.answer = nil
        answer(result)
        return true
    }
}

/// A credential provider.
///
/// It is not a view controller here, because there is no screen. Override the functions that your
/// provider offers; each ends its request through ``extensionContext``.
@MainActor @preconcurrency
open class ASCredentialProviderViewController: NSObject {
    /// The connection to the system.
    public let extensionContext = ASCredentialProviderExtensionContext()

    /// Creates a provider.
    public override init() {}

    /// Returns the password of an identity without a user interface.
    ///
    /// Without an override, the request needs interaction.
    open func provideCredentialWithoutUserInteraction(
        for credentialIdentity: ASPasswordCredentialIdentity
    ) {
        extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
    }

    /// Shows the user interface for returning the password of an identity.
    open func prepareInterfaceToProvideCredential(
        for credentialIdentity: ASPasswordCredentialIdentity
    ) {
        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
    }

    /// Shows the accounts for services.
    open func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
    }

    /// Shows the user interface for setting the provider up.
    open func prepareInterfaceForExtensionConfiguration() {
        extensionContext.completeExtensionConfigurationRequest()
    }
}

// The system's part, for which Apple's framework has no function, because the system calls a
// provider.
extension ASCredentialProviderViewController {
    /// Requests the password of an identity as the system does when the user taps on it.
    ///
    /// The first call is without interaction. If the provider needs interaction, and an interface
    /// is allowed, there is a second call.
    ///
    /// ```swift
    /// let credential = try await provider.systemFill(identity, allowingInterface: true)
    /// ```
    /// - Throws: The error that the provider ends the request with; one of the domain
    ///   `ASExtensionErrorDomain` as an ``ASExtensionError``.
    public func systemFill(
        _ identity: ASPasswordCredentialIdentity,
        allowingInterface: Bool
    ) async throws -> ASPasswordCredential {
        let quiet = await extensionContext.end {
            provideCredentialWithoutUserInteraction(for: identity)
        }
        guard case .failure(let error) = quiet, allowingInterface,
            (error as? ASExtensionError)?.code == .userInteractionRequired
        else { return try Self.credential(quiet) }
        return try Self.credential(
            await extensionContext.end { prepareInterfaceToProvideCredential(for: identity) }
        )
    }

    private static func credential(
        _ result: Result<ASPasswordCredential?, any Error>
    ) throws -> ASPasswordCredential {
        switch result {
        case .success(let credential?): return credential
        case .success(nil): throw ASExtensionError(.failed)
        case .failure(let error): throw (error as? ASExtensionError) ?? error
        }
    }
}
