import CoreFoundation
import Foundation
import KeychainModel

/// Evaluates a trust object and reports the outcome.
///
/// - Parameters:
///   - trust: the trust object.
///   - result: receives `.unspecified` if the certificate is trusted, `.proceed` if only exceptions
///     make it so, and else a failure.
/// - Returns: `errSecSuccess` for any outcome; another status if the evaluation itself failed.
@available(*, deprecated, message: "Use SecTrustEvaluateWithError")
@discardableResult
public func SecTrustEvaluate(
    _ trust: SecTrust,
    _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    do throws(KeychainError) {
        result.pointee = try trust.evaluate().result
        return errSecSuccess
    } catch {
        result.pointee = .otherError
        return error.status.rawValue
    }
}

/// Retrieves the outcome of the last evaluation.
///
/// - Parameters:
///   - trust: the trust object.
///   - result: receives the outcome; `.invalid` if there was no evaluation since a change.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust,
    _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    result.pointee = trust.knownAnswer?.result ?? .invalid
    return errSecSuccess
}

/// Returns all present failures of a certificate, so that they can be accepted later.
///
/// `SecTrustSetExceptions` accepts the data for the same certificate. Only these failures are
/// accepted: a certificate that expires later is not trusted then.
///
/// - Returns: the data, or nil if the evaluation itself failed.
@discardableResult
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    guard let exceptions = try? trust.exceptionsNow() else { return nil }
    return exceptions.encoded().map { NSData(data: $0) }
}

/// Accepts the failures that `SecTrustCopyExceptions` found.
///
/// - Parameters:
///   - trust: the trust object.
///   - exceptions: the data; nil accepts no failure.
/// - Returns: whether the data is for this certificate; if not, no failure is accepted.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let found = exceptions.flatMap { TrustExceptions(encoded: $0 as Data) }
    guard let found, found.isFor(trust.leaf) else {
        trust.setExceptions(nil)
        return false
    }
    trust.setExceptions(found)
    return true
}

extension SecTrust.Answer {
    /// The outcome in Apple's terms.
    var result: SecTrustResultType {
        guard let failure else { return hasExceptions ? .proceed : .unspecified }
        return switch failure.reason {
        case .badSignature: .fatalTrustFailure
        default: .recoverableTrustFailure
        }
    }
}
