public import Foundation

/// The domain of ``ASExtensionError``.
public let ASExtensionErrorDomain = ASExtensionError.errorDomain

/// An error that a credential provider ends a request with.
public struct ASExtensionError: CustomNSError, Hashable, Sendable {
    /// Why the provider has no credential.
    public enum Code: Int, Sendable {
        /// The request failed.
        case failed = 0
        /// The user canceled.
        case userCanceled = 1
        /// The provider must show something first.
        case userInteractionRequired = 100
        /// The provider does not know the identity.
        case credentialIdentityNotFound = 101
    }

    /// The domain of these errors.
    public static let errorDomain = "ASExtensionErrorDomain"
    /// Why the provider has no credential.
    public let code: Code
    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The same error, which many providers make as an `NSError`; nil for another domain.
    init?(anyError error: any Error) {
        let error = error as NSError
        guard error.domain == Self.errorDomain, let code = Code(rawValue: error.code) else {
            return nil
        }
        self.code = code
    }

    /// The request failed.
    public static var failed: Code { .failed }
    /// The user canceled.
    public static var userCanceled: Code { .userCanceled }
    /// The provider must show something first.
    public static var userInteractionRequired: Code { .userInteractionRequired }
    /// The provider does not know the identity.
    public static var credentialIdentityNotFound: Code { .credentialIdentityNotFound }
}

/// The connection of a provider to the system; a provider ends every request through it.
@MainActor public final class ASCredentialProviderExtensionContext: NSObject {
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

    /// Waits for the end of a request that a function begins.
    func end(
        of request: () -> Void
    ) async -> Result<ASPasswordCredential?, any Error> {
        await withCheckedContinuation { continuation in
            answer = { continuation.resume(returning: $0) }
            request()
        }
    }

    /// Ends the request that runs; a second end does nothing.
    private func finish(_ result: Result<ASPasswordCredential?, any Error>) -> Bool {
        guard let answer else { return false }
        self.answer = nil
        answer(result)
        return true
    }
}

/// A credential provider.
///
/// It is no view controller here, because no screen appears. Override the functions that your
/// provider offers; each ends its request through ``extensionContext``.
@MainActor open class ASCredentialProviderViewController: NSObject {
    /// The connection to the system.
    public let extensionContext = ASCredentialProviderExtensionContext()

    /// Creates a provider.
    public override init() {}

    /// Returns the password of an identity without showing anything.
    ///
    /// Without an override, the request needs interaction.
    open func provideCredentialWithoutUserInteraction(
        for credentialIdentity: ASPasswordCredentialIdentity
    ) {
        extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
    }

    /// Shows what the provider needs before it can return the password of an identity.
    open func prepareInterfaceToProvideCredential(
        for credentialIdentity: ASPasswordCredentialIdentity
    ) {
        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
    }

    /// Shows the accounts for services.
    open func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
    }

    /// Shows what the user sets up after choosing the provider.
    open func prepareInterfaceForExtensionConfiguration() {
        extensionContext.completeExtensionConfigurationRequest()
    }
}

// The system's part. Apple's framework has no such function, because the system calls a provider.
extension ASCredentialProviderViewController {
    /// Gets the password of an identity as the system does when the user taps on it.
    ///
    /// The provider is called without interaction first. If it needs interaction, and an interface
    /// is allowed, it is called a second time.
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
            ASExtensionError(anyError: error)?.code == .userInteractionRequired
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
        case .failure(let error): throw ASExtensionError(anyError: error) ?? error
        }
    }
}
