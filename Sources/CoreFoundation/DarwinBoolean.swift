/// A truth value behind a pointer of a C interface, as Swift has it on Apple's platforms.
///
/// ```swift
/// var isAllowed: DarwinBoolean = true
/// SecTrustGetNetworkFetchAllowed(trust, &isAllowed)
/// print(isAllowed.boolValue)
/// ```
public struct DarwinBoolean: ExpressibleByBooleanLiteral, CustomStringConvertible, Hashable,
    Sendable
{
    /// The value as Swift has it.
    public var boolValue: Bool

    /// Creates a value of Swift's.
    public init(_ value: Bool) { boolValue = value }

    /// Creates a value of a literal.
    public init(booleanLiteral value: Bool) { boolValue = value }

    /// `true` or `false`.
    public var description: String { boolValue.description }
}
