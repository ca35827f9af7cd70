import CoreFoundation
import Dispatch
import KeychainHost

/// A function that receives the outcome of an evaluation.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void
/// A function that receives whether a certificate is trusted, and the reason why it is not.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Evaluates a trust object, and calls a function with the outcome on a queue.
///
/// - Parameters:
///   - trust: the trust object.
///   - queue: the queue of the call; nil for a global one.
///   - result: the function.
/// - Returns: `errSecSuccess`.
@available(*, deprecated, message: "Use SecTrustEvaluateAsyncWithError")
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust,
    _ queue: DispatchQueue?,
    _ result: @escaping SecTrustCallback
) -> OSStatus {
    let call = TrustCall { result($0, outcome(of: $0)) }
    call.run(trust, on: queue ?? .global())
    return errSecSuccess
}

/// Evaluates a trust object, and calls a function on a queue.
///
/// - Parameters:
///   - trust: the trust object.
///   - queue: the queue of the call.
///   - result: the function.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust,
    _ queue: DispatchQueue,
    _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    let call = TrustCall { trust in
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        result(trust, isTrusted, error)
    }
    call.run(trust, on: queue)
    return errSecSuccess
}

private func outcome(of trust: SecTrust) -> SecTrustResultType {
    (try? trust.evaluate().result) ?? .otherError
}

/// A function of a program, on its way to a queue.
///
/// Apple's functions accept one that need not be safe to send. `@unchecked Sendable` is sound
/// because this is the only reference, it is called once, and the program has chosen the queue.
private struct TrustCall: @unchecked Sendable {
    let body: (SecTrust) -> Void

    /// Calls the function with the simulated app of the caller.
    func run(_ trust: SecTrust, on queue: DispatchQueue) {
        let app = RequestRouter.current
        queue.async { RequestRouter.$current.withValue(app) { body(trust) } }
    }
}
