import CoreFoundation
import Foundation
import KeychainModel

/// Evaluates a question and names the outcome.
///
/// - Parameters:
///   - trust: the question.
///   - result: receives `.unspecified` if the certificate is trusted, `.proceed` if only exceptions
///     make it so, and else a failure.
/// - Returns: `errSecSuccess` whatever the outcome; another status if nothing could be evaluated.
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
///   - trust: the question.
///   - result: receives the outcome; `.invalid` if nothing was evaluated since a change.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust,
    _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    result.pointee = trust.knownAnswer?.result ?? .invalid
    return errSecSuccess
}

/// Returns everything that speaks against a certificate now, so that it can be accepted later.
///
/// `SecTrustSetExceptions` takes the data for the same certificate. What is accepted is this and no
/// more: a certificate that expires later is not trusted then.
///
/// - Returns: the data, or nil if nothing could be evaluated.
@discardableResult
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    guard let exceptions = try? trust.exceptionsNow() else { return nil }
    return exceptions.encoded().map { NSData(data: $0) }
}

/// Accepts what `SecTrustCopyExceptions` found against the certificate.
///
/// - Parameters:
///   - trust: the question.
///   - exceptions: the data; nil accepts nothing.
/// - Returns: whether the data is for this certificate; if not, nothing is accepted.
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
    /// The outcome by Apple's name.
    var result: SecTrustResultType {
        guard let failure else { return hasExceptions ? .proceed : .unspecified }
        return switch failure.reason {
        case .badSignature: .fatalTrustFailure
        default: .recoverableTrustFailure
        }
    }
}
