import LintAnalysis
import SwiftSyntax

/// The places at which a function uses the result of a search.
struct ResultUses {
    /// The casts of the result, with the types.
    private(set) var casts: [(node: AsExprSyntax, type: String, mark: String)] = []
    /// The places that unwrap it with `!`.
    private(set) var forces: [ForceUnwrapExprSyntax] = []
    private(set) var isUsed = false

    init(of name: String, after call: SecurityCall) {
        let finder = NameFinder(name)
        finder.walk(call.function.body)
        for node in finder.found where node.start > call.node.end {
            isUsed = true
            var current = Syntax(node)
            while let parent = current.parent,
                parent.is(TupleExprSyntax.self)
                    || parent.is(LabeledExprListSyntax.self) || parent.is(LabeledExprSyntax.self)
                    || parent.is(OptionalChainingExprSyntax.self)
            {
                if parent.parent?.is(FunctionCallExprSyntax.self) == true { break }
                current = parent
            }
            if let cast = current.parent?.as(AsExprSyntax.self) {
                let mark = cast.questionOrExclamationMark?.text ?? ""
                casts.append((cast, cast.type.trimmedDescription, mark))
            } else if let force = current.parent?.as(ForceUnwrapExprSyntax.self) {
                forces.append(force)
            }
        }
    }
}

/// Finds uses of a name that are not members of another value.
final class NameFinder: SyntaxVisitor {
    private let name: String
    private(set) var found: [DeclReferenceExprSyntax] = []

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let member = node.parent?.as(MemberAccessExprSyntax.self)
        if node.baseName.text == name, member?.declName.id != node.id { found.append(node) }
        return .visitChildren
    }
}

/// The kinds of values that `SecItemCopyMatching` can return.
enum ResultKind: Equatable {
    case data, dictionary, reference, array, text, number

    /// Returns the kind for the return keys and the limit; nil if a part is unknown.
    init?(of use: QueryUse) {
        let dictionary = use.dictionary
        guard !dictionary.isOpen else { return nil }
        let asked = KeychainNames.returnKeys.filter { dictionary[$0] != nil }
        let certain = asked.filter { dictionary.certain($0)?.value.bool == true }
        guard !asked.isEmpty, asked.count == certain.count else { return nil }
        if let limit = dictionary["kSecMatchLimit"] {
            guard limit.isCertain else { return nil }
            if use.asksForAll {
                self = .array
                return
            }
            guard limit.value.name == "kSecMatchLimitOne" || limit.value.number == 1 else {
                return nil
            }
        }
        if asked.count > 1 || asked == ["kSecReturnAttributes"] {
            self = .dictionary
        } else {
            self = asked == ["kSecReturnRef"] ? .reference : .data
        }
    }

    /// Returns the kind of a type with this name; nil if it is unknown.
    init?(type: String) {
        var name = type.filter { !$0.isWhitespace }
        while name.hasSuffix("?") || name.hasSuffix("!") { name.removeLast() }
        switch name {
        case "Data", "NSData", "CFData": self = .data
        case "String", "NSString", "CFString": self = .text
        case "Int", "Bool", "NSNumber", "Double": self = .number
        case "SecKey", "SecCertificate", "SecIdentity", "SecKeychainItem": self = .reference
        case "NSDictionary", "CFDictionary", "NSMutableDictionary": self = .dictionary
        case "NSArray", "CFArray": self = .array
        case _ where name.hasPrefix("[[") || name.hasPrefix("Array<"): self = .array
        case _ where name.hasPrefix("Dictionary<"): self = .dictionary
        case _ where name.hasPrefix("[") && name.contains(":"): self = .dictionary
        case _ where name.hasPrefix("["): self = .array
        default: return nil
        }
    }
}

extension Check {
    static let resultCastMismatch = uses("KC106") { use, _, report in
        guard use.role == .copy, let call = use.call, !use.isInlined, let name = call.resultName
        else { return }
        let uses = ResultUses(of: name, after: call)
        let expected = ResultKind(of: use)
        let isChecked = !call.status.tests.isEmpty || call.status.escapes
        for cast in uses.casts where !cast.mark.isEmpty {
            let kind = ResultKind(type: cast.type)
            let isWrong = expected != nil && kind != nil && expected != kind
            if cast.mark == "!", isWrong || !isChecked {
                let what =
                    isWrong ? "this query returns no \(cast.type)" : "nothing checked the status"
                report.report(cast.node, "The cast crashes: \(what).", subjects: use.subjects)
            } else if cast.mark == "?", isWrong {
                report.report(
                    cast.node,
                    "The cast returns nil: this query returns no \(cast.type).",
                    severity: .warning,
                    subjects: use.subjects
                )
            }
        }
        for force in uses.forces where !isChecked {
            report.report(
                force,
                "The unwrapping crashes after a failure: nothing checked the status.",
                subjects: use.subjects
            )
        }
    }
}
