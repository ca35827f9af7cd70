import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let hygiene: [Check] = [
        keychainOnMainActor, threadHostileWrapper, secretFromInfo, nonAtomicRefresh,
        thirdPartyWrapper, deprecatedFlagName, missingImport,
    ]

    private static let keychainOnMainActor = Check("KC906") { file, report in
        guard !file.file.isTest else { return }
        let names = ["SecItemAdd", "SecItemCopyMatching", "SecItemUpdate", "SecItemDelete"]
        for call in file.calls where names.contains(call.name) {
            guard isOnMainActor(call.function), !isDetached(call.node) else { continue }
            report.report(call.node)
        }
    }

    private static func isOnMainActor(_ function: FunctionInfo) -> Bool {
        let isMain = function.attributes.contains { $0.hasPrefix("@MainActor") } || isView(function)
        return isMain && !function.attributes.contains("@concurrent") && !isNonisolated(function)
    }

    /// Whether the system calls a function to show something.
    static func isView(_ function: FunctionInfo) -> Bool {
        let views = ["viewDidLoad", "viewWillAppear", "viewDidAppear", "viewIsAppearing"]
        return views.contains(function.name) || function.attributes.contains("@IBAction")
            || function.isProperty && function.name == "body" && function.inherited.contains("View")
    }

    private static func isNonisolated(_ function: FunctionInfo) -> Bool {
        let modifiers = function.node.as(FunctionDeclSyntax.self)?.modifiers.trimmedDescription
        return modifiers?.contains("nonisolated") ?? false
    }

    /// Whether a call is in a closure that runs elsewhere.
    static func isDetached(_ node: some SyntaxProtocol) -> Bool {
        sequence(first: Syntax(node), next: \.parent).contains { ancestor in
            guard let call = ancestor.as(FunctionCallExprSyntax.self) else { return false }
            let name = call.calledExpression.trimmedDescription
            return name.contains("detached")
                || name.hasSuffix(".async")
                    && !name.contains("DispatchQueue.main")
        }
    }

    private static let threadHostileWrapper = Check("KC907") { file, report in
        guard !file.calls.isEmpty, !file.file.isTest else { return }
        let text = file.file.source.text
        let locks = [
            "NSLock", "DispatchQueue", "Mutex", "os_unfair_lock", "OSAllocatedUnfairLock",
            "NSRecursiveLock", "@MainActor", "atomic", "Semaphore",
        ]
        for type in file.file.types
        where type.keyword == "class" && !type.variables.isEmpty
            && !locks.contains(where: text.contains)
            && !type.inherited.contains(where: { $0.hasPrefix("UI") || $0.hasPrefix("NSView") })
        {
            let range = type.node.span
            let changes = file.file.functions.contains { function in
                function.name != "init" && range.contains(function.node.start)
                    && type.variables.contains {
                        function.text.contains("\($0) =")
                            && !function.text.contains("\($0) = =")
                    }
            }
            guard changes, file.calls.contains(where: { range.contains($0.start) }),
                let declaration = type.node.as(ClassDeclSyntax.self)
            else { continue }
            report.report(declaration.name)
        }
    }

    private static let secretFromInfo = Check("KC908") { file, report in
        let text = file.file.source.text
        guard text.contains("nfoDictionary"), !file.file.isTest else { return }
        let finder = LiteralFinder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        for node in finder.found {
            // `infoDictionary["…"]` or `object(forInfoDictionaryKey: "…")`
            let reader = node.parent?.parent?.parent
            let text =
                reader?.as(SubscriptCallExprSyntax.self)?.calledExpression.trimmedDescription
                ?? reader?.as(FunctionCallExprSyntax.self)?.arguments.trimmedDescription
            guard let name = node.representedLiteralValue, SecretNames.isSecret(name),
                text?.contains("nfoDictionary") == true
            else { continue }
            report.report(node, "\"\(name)\" comes from Info.plist.")
        }
    }

    private static let nonAtomicRefresh = Check("KC910") { file, report in
        for function in file.file.functions where function.isNamed(["refresh"]) {
            let calls = file.file.calls.filter { function.contains($0.node) }
            guard
                let deletion = calls.first(where: { Wrappers.isDelete($0, report.configuration) }),
                let write = calls.first(where: {
                    Wrappers.isWrite($0, report.configuration)
                        && $0.node.start > deletion.node.end
                })
            else { continue }
            report.report(
                write.node,
                related: [(Syntax(deletion.node), "The old token is deleted here.")]
            )
        }
    }

    private static let thirdPartyWrapper = Check("KC911") { file, report in
        let modules = [
            "KeychainAccess", "KeychainSwift", "Valet", "SwiftKeychainWrapper",
            "SimpleKeychain", "Locksmith", "SAMKeychain",
        ]
        for item in file.file.imports where modules.contains(item.module) {
            report.report(item.node, "\(item.module) decides uniqueness and accessibility.")
        }
    }

    private static let deprecatedFlagName = Check("KC913") { file, report in
        guard file.file.source.text.contains("ouchID") else { return }
        let names = [
            "touchIDAny": "biometryAny", "touchIDCurrentSet": "biometryCurrentSet",
            "biometryTouchID": "biometryTouchID",
        ]
        for (old, new) in names.sorted(by: { $0.key < $1.key }) where old != new {
            let finder = MemberFinder(old)
            finder.walk(file.file.tree)
            for node in finder.found {
                let range = node.declName.baseName.span
                report.report(
                    node,
                    ".\(old) is called .\(new) now.",
                    fixes: [TextEdit(range: range, replacement: new)]
                )
            }
        }
    }

    private static let missingImport = Check("KC914") { file, report in
        let security = ["Security", "KeychainServices"]
        // Only these modules import Security on Apple's platforms.
        let carriers = [
            "Foundation", "UIKit", "AppKit", "Cocoa", "SwiftUI", "LocalAuthentication", "CryptoKit",
        ]
        guard let last = file.file.imports.last,
            file.file.imports.contains(where: { carriers.contains($0.module) }),
            !file.file.imports.contains(where: { security.contains($0.module) }),
            let name = SecurityNameFinder.first(in: file.file.tree)
        else { return }
        report.report(
            last.node,
            "The file uses \(name) without `import Security`.",
            fixes: [addition(to: file.file)].compactMap { $0 }
        )
    }

    /// Returns an edit that adds the import outside of every `#if`.
    private static func addition(to file: ParsedFile) -> TextEdit? {
        let line = "import Security"
        let lineBreak = file.source.lineBreak
        let top = file.tree.statements.map { (item: $0, import: $0.item.as(ImportDeclSyntax.self)) }
        if let last = top.last(where: { $0.import != nil })?.item {
            // It comes after a comment on the line, which belongs to the old import.
            let place = last.endPosition.utf8Offset
            let rest = file.source.text.utf8.dropFirst(place).first
            let end = rest == nil || rest == 0x0A || rest == 0x0D ? "" : lineBreak
            return TextEdit(range: place..<place, replacement: lineBreak + line + end)
        }
        // All imports are in `#if`, so the new one comes before the first.
        guard let first = file.imports.first?.node,
            let item = file.tree.statements.first(where: { $0.end >= first.end })
        else { return nil }
        return TextEdit(range: item.start..<item.start, replacement: line + lineBreak)
    }
}

/// Finds uses of a member.
final class MemberFinder: SyntaxVisitor {
    private let name: String
    private(set) var found: [MemberAccessExprSyntax] = []

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if node.declName.baseName.text == name { found.append(node) }
        return .visitChildren
    }
}

/// Finds the first name that only the Security framework declares.
private final class SecurityNameFinder: SyntaxVisitor {
    private var name: String?

    private static let names: Set<String> = [
        "SecItemAdd", "SecItemCopyMatching", "SecItemUpdate", "SecItemDelete", "SecKey",
        "SecCertificate", "SecIdentity", "SecTrust", "SecAccessControl",
        "SecAccessControlCreateWithFlags", "SecRandomCopyBytes", "SecCopyErrorMessageString",
    ]

    static func first(in tree: SourceFileSyntax) -> String? {
        let finder = SecurityNameFinder(viewMode: .sourceAccurate)
        finder.walk(tree)
        return finder.name
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        guard name == nil, case .identifier(let text) = token.tokenKind else {
            return .skipChildren
        }
        let isKey =
            text.hasPrefix("kSecAttr") || text.hasPrefix("kSecClass")
            || text.hasPrefix("kSecValue") || text.hasPrefix("errSec")
        if isKey || Self.names.contains(text) { name = text }
        return .skipChildren
    }
}

extension ProjectCheck {
    /// The check for a view that waits for a read of the keychain in a function, in any file or
    /// target.
    static let readBehindView = ProjectCheck("KC906") { facts, reporter in
        for (index, file) in facts.project.files.enumerated() where !file.file.isTest {
            for (position, function) in file.file.functions.enumerated()
            where Check.isView(function) && !function.isTopLevel {
                let root = ProjectFacts.Location(file: index, function: position)
                for call in facts.calls(in: root) where !isElsewhere(call.node) {
                    guard let read = read(behind: call, in: root, facts) else { continue }
                    reporter.file = file.file
                    reporter.add(
                        file.file.place(call.node),
                        nil,
                        related: [
                            .init(
                                place: read.file.file.place(read.call.node),
                                message: "This reads the keychain."
                            )
                        ]
                    )
                    break
                }
                if let (place, read) = readBehindProperty(of: root, facts) {
                    reporter.file = file.file
                    reporter.add(
                        file.file.place(place),
                        nil,
                        related: [
                            .init(
                                place: read.file.file.place(read.call.node),
                                message: "This reads the keychain."
                            )
                        ]
                    )
                }
            }
        }
    }

    /// Returns a computed property of the same view that `body` uses, and the read that it causes.
    private static func readBehindProperty(
        of root: ProjectFacts.Location,
        _ facts: ProjectFacts
    ) -> (Syntax, (call: SecurityCall, file: FileAnalysis))? {
        let body = facts.function(root)
        guard body.isProperty else { return nil }
        let file = facts.project.files[root.file].file
        for (position, property) in file.functions.enumerated()
        where property.isProperty && property.typeName == body.typeName && property.id != body.id {
            let finder = BodyUseFinder(property.name)
            finder.walk(body.body)
            guard let place = finder.found else { continue }
            let start = ProjectFacts.Location(file: root.file, function: position)
            if let read = read(reachableFrom: start, facts) { return (place, read) }
        }
        return nil
    }

    /// Whether the call runs elsewhere, or no code waits for it.
    private static func isElsewhere(_ node: FunctionCallExprSyntax) -> Bool {
        node.firstAncestor(AwaitExprSyntax.self) != nil || Check.isDetached(node)
            || sequence(first: Syntax(node), next: \.parent).contains { ancestor in
                let call = ancestor.as(FunctionCallExprSyntax.self)
                return call?.calledExpression.trimmedDescription == "Task"
            }
    }

    private static func read(
        behind call: CallInfo,
        in root: ProjectFacts.Location,
        _ facts: ProjectFacts
    ) -> (call: SecurityCall, file: FileAnalysis)? {
        let caller = facts.function(root)
        for callee in facts.callees(of: call, in: root.file, from: caller) {
            guard !facts.function(callee).isAsynchronous else { continue }
            if let found = read(reachableFrom: callee, facts) { return found }
        }
        return nil
    }

    private static func read(
        reachableFrom start: ProjectFacts.Location,
        _ facts: ProjectFacts
    ) -> (call: SecurityCall, file: FileAnalysis)? {
        let reached = facts.reachable(from: start)
            .filter { !facts.function($0).isAsynchronous }
            .sorted { ($0.file, $0.function) < ($1.file, $1.function) }
        for location in reached {
            let found = facts.securityCalls(in: location).first {
                $0.name == "SecItemCopyMatching" && !Check.isDetached($0.node)
            }
            if let found { return (found, facts.project.files[location.file]) }
        }
        return nil
    }
}

/// Finds the first use of a name outside of closures that run elsewhere.
private final class BodyUseFinder: SyntaxVisitor {
    private let name: String
    private(set) var found: Syntax?

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let call = node.firstAncestor(FunctionCallExprSyntax.self)?.calledExpression
            .trimmedDescription
        let isTask = ["task", "onAppear", "onChange", "Button", "Task"]
            .contains { call?.hasSuffix($0) ?? false }
        if found == nil, node.baseName.text == name, !isTask { found = Syntax(node) }
        return .visitChildren
    }
}

extension FunctionInfo {
    fileprivate var isAsynchronous: Bool {
        let effects = node.as(FunctionDeclSyntax.self)?.signature.effectSpecifiers
        return effects?.asyncSpecifier != nil
    }
}
