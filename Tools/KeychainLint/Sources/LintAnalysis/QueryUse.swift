import SwiftSyntax

/// A dictionary together with what code does with it.
public struct QueryUse: Sendable {
    public enum Role: Sendable {
        case add, copy, delete, updateQuery, updateValues, generate, createKey, importOptions
        case other
        /// No call is in view, but it has a class and a value.
        case addLike
        /// No call is in view, but it has a class and asks for a result.
        case searchLike
    }

    public let role: Role
    public let dictionary: QueryDictionary
    /// The call, or nil for a dictionary without one in view.
    public let call: SecurityCall?
    public let function: FunctionInfo
    /// The function that the call is in, if it is a helper of `function`.
    public let isInlined: Bool

    public var isAdd: Bool { role == .add || role == .addLike }
    public var isSearch: Bool { role == .copy || role == .searchLike }

    /// Where a report about something missing points to: the call, else the literal.
    public var node: Syntax { call.map { Syntax($0.node) } ?? dictionary.literal }

    /// Whether both `SecItemUpdate` dictionaries belong to one call.
    public func isSameCall(as other: QueryUse) -> Bool {
        call != nil && call?.node.start == other.call?.node.start
            && function.id == other.function.id
    }
}

/// A call of a function of the Security framework.
public struct SecurityCall: Sendable {
    public let name: String
    public let node: FunctionCallExprSyntax
    public let function: FunctionInfo
    public let arguments: [Value]
    /// The variable that gets the result of a search, if it is one.
    public let resultName: String?
    /// What becomes of the status.
    public let status: StatusFlow
    /// The variables of the dictionaries, with how often each had changed.
    public let variables: [String: Int]

    public var start: Int { node.start }
}
