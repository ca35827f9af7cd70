import SwiftSyntax

/// A dictionary together with what code does with it.
package struct QueryUse: Sendable {
    package enum Role: Sendable {
        case add, copy, delete, updateQuery, updateValues, generate, createKey, importOptions
        case other
        /// No call is in view, but it has a class and a value.
        case addLike
        /// No call is in view, but it has a class and asks for a result.
        case searchLike
    }

    package let role: Role
    package let dictionary: QueryDictionary
    /// The call, or nil for a dictionary without one in view.
    package let call: SecurityCall?
    package let function: FunctionInfo
    /// The function that the call is in, if it is a helper of `function`.
    package let isInlined: Bool

    package var isAdd: Bool { role == .add || role == .addLike }
    package var isSearch: Bool { role == .copy || role == .searchLike }

    /// Where a report about something missing points to: the call, else the literal.
    package var node: Syntax { call.map { Syntax($0.node) } ?? dictionary.literal }

    /// Whether both `SecItemUpdate` dictionaries belong to one call.
    package func isSameCall(as other: QueryUse) -> Bool {
        call != nil && call?.node.start == other.call?.node.start
            && function.id == other.function.id
    }
}

/// A call of a function of the Security framework.
package struct SecurityCall: Sendable {
    package let name: String
    package let node: FunctionCallExprSyntax
    package let function: FunctionInfo
    package let arguments: [Value]
    /// The variable that gets the result of a search, if it is one.
    package let resultName: String?
    /// What becomes of the status.
    package let status: StatusFlow
    /// The variables of the dictionaries, with how often each had changed.
    package let variables: [String: Int]

    package var start: Int { node.start }
}
