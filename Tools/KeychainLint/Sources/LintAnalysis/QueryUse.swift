import SwiftSyntax

/// A dictionary and its use in the code.
package struct QueryUse: Sendable {
    package enum Role: Sendable {
        case add, copy, delete, updateQuery, updateValues, generate, createKey, importOptions
        case other
        /// No call is in view, but the dictionary has a class and a value.
        case addLike
        /// No call is in view, but the dictionary has a class and requests a result.
        case searchLike
    }

    package let role: Role
    package let dictionary: QueryDictionary
    /// The call; nil if none is in view.
    package let call: SecurityCall?
    package let function: FunctionInfo
    /// Whether the call is in a helper of `function`.
    package let isInlined: Bool

    package var isAdd: Bool { role == .add || role == .addLike }
    package var isSearch: Bool { role == .copy || role == .searchLike }

    /// The node for reports about missing entries: the call, or else the literal.
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
    /// The variable for the result of a search; nil if it is not a variable.
    package let resultName: String?
    /// The use of the status.
    package let status: StatusFlow
    /// The variables of the dictionaries, and the number of their earlier changes.
    package let variables: [String: Int]

    package var start: Int { node.start }
}
