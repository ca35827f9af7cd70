// Core Foundation's names for the domains and keys of errors, which are those of Foundation.
import Foundation

/// The domain of statuses, such as those of the keychain.
nonisolated(unsafe) public let kCFErrorDomainOSStatus: CFErrorDomain! = ConstantString(
    NSOSStatusErrorDomain
)
/// The domain of the values of `errno`.
nonisolated(unsafe) public let kCFErrorDomainPOSIX: CFErrorDomain! = ConstantString(
    NSPOSIXErrorDomain
)
/// The domain of Mach's codes, which Linux does not have.
nonisolated(unsafe) public let kCFErrorDomainMach: CFErrorDomain! = ConstantString(
    "NSMachErrorDomain"
)
/// The domain of Foundation's codes.
nonisolated(unsafe) public let kCFErrorDomainCocoa: CFErrorDomain! = ConstantString(
    NSCocoaErrorDomain
)

/// The key of the sentence that describes an error to people.
nonisolated(unsafe) public let kCFErrorLocalizedDescriptionKey: CFString! = ConstantString(
    NSLocalizedDescriptionKey
)
/// The key of the reason of a failure.
nonisolated(unsafe) public let kCFErrorLocalizedFailureReasonKey: CFString! = ConstantString(
    NSLocalizedFailureReasonErrorKey
)
/// The key of a suggestion for people after a failure.
nonisolated(unsafe) public let kCFErrorLocalizedRecoverySuggestionKey: CFString! = ConstantString(
    NSLocalizedRecoverySuggestionErrorKey
)
/// The key of a description for developers.
nonisolated(unsafe) public let kCFErrorDescriptionKey: CFString! = ConstantString("NSDescription")
/// The key of the error that caused this one.
nonisolated(unsafe) public let kCFErrorUnderlyingErrorKey: CFString! = ConstantString(
    NSUnderlyingErrorKey
)

/// Returns the reason of a failure, or nil.
@discardableResult
public func CFErrorCopyFailureReason(_ err: CFError!) -> CFString! {
    err.localizedFailureReason.map { NSString(string: $0) }
}

/// Returns the suggestion for people after a failure, or nil.
@discardableResult
public func CFErrorCopyRecoverySuggestion(_ err: CFError!) -> CFString! {
    err.localizedRecoverySuggestion.map { NSString(string: $0) }
}

extension NSError {
    /// Creates an empty error: no domain, and code 0.
    ///
    /// On Apple's platforms this is the initializer that every object has. It is for tests and
    /// placeholders.
    public convenience init(_nothing: Void = ()) { self.init(domain: "", code: 0) }
}
