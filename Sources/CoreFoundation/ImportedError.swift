import Foundation

/// An error type that Apple's SDK imports from C, with a domain and an open enumeration of codes.
///
/// `NSError as? LAError` and `catch LAError.userCancel` work on such a type. On Linux a cast from a
/// class to a structure requires `_ObjectiveCBridgeable`, which Foundation's
/// `_BridgedStoredNSError` does not include.
public protocol _ImportedError: _BridgedStoredNSError, _ObjectiveCBridgeable
where _ObjectiveCType == NSError {}

extension _ImportedError {
    /// Returns the error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Hashes the domain and the code; the hash of an `NSError` stops the program on Linux.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    /// The hash of the domain and the code.
    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    /// Takes over an `NSError` of the type's domain, and no other.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError,
        result: inout Self?
    ) -> Bool {
        guard source.domain == _nsErrorDomain else { return false }
        result = Self(_nsError: source)
        return true
    }

    /// Takes over an `NSError` of the type's domain, and no other.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
    }

    /// Takes over an `NSError` of any domain; nil becomes one with the code 0.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        Self(_nsError: source ?? NSError(domain: _nsErrorDomain, code: 0))
    }
}
