import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    /// The check for SDKs that start before the cleanup of a first launch, and so see old items.
    static let sdkBeforeCleanup = Check("KC605") { file, report in
        for function in file.file.functions where !function.isTopLevel && !file.file.isTest {
            let calls = file.file.calls.filter {
                file.file.function(around: $0.node)?.id == function.id
            }
            guard let cleanup = calls.first(where: { isCleanup($0, in: function, file) }),
                let (start, kit) = calls.lazy.compactMap({ call in
                    kit(of: call, file).map { (call, $0) }
                }).first(where: { $0.0.node.end <= cleanup.node.start })
                    ?? kitBefore(function, file)
            else { continue }
            report.report(
                start.node,
                "\(kit) starts before the cleanup.",
                related: [(Syntax(cleanup.node), "The cleanup.")]
            )
        }
    }

    /// Returns an SDK that an earlier call of the delegate starts.
    private static func kitBefore(
        _ function: FunctionInfo,
        _ file: FileAnalysis
    ) -> (CallInfo, String)? {
        func isDelegate(_ function: FunctionInfo, _ label: String) -> Bool {
            function.parameters.contains { $0.label == label }
        }
        guard isDelegate(function, "didFinishLaunchingWithOptions") else { return nil }
        let earlier = file.file.functions.first {
            $0.typeName == function.typeName && isDelegate($0, "willFinishLaunchingWithOptions")
        }
        guard let earlier else { return nil }
        return file.file.calls.lazy.filter { earlier.contains($0.node) }
            .compactMap { call in kit(of: call, file).map { (call, $0) } }.first
    }

    private static let kits = [
        "FirebaseApp", "Amplify", "Crashlytics", "GIDSignIn", "MSAL", "Auth0", "Sentry",
        "SentrySDK", "Purchases", "Bugsnag", "Mixpanel", "AppCenter", "AppsFlyerLib", "Adjust",
        "Branch", "Segment", "Datadog", "Instabug", "OneSignal", "Braze", "Intercom",
    ]
    private static let starts = [
        "configure", "start", "initialize", "setup", "initSession", "bootstrap", "launch",
    ]

    /// Returns the name of the SDK that a call starts, itself or through a function of the file.
    private static func kit(of call: CallInfo, _ file: FileAnalysis) -> String? {
        if let kit = started(call, file) { return kit }
        let helpers = file.file.functions.filter {
            $0.name == call.name && !$0.isTopLevel && !$0.text.contains("SecItemDelete")
        }
        for helper in helpers where ["", "self", "Self"].contains(call.base) {
            for inner in file.file.calls where helper.contains(inner.node) {
                if let kit = started(inner, file) { return kit }
            }
        }
        return nil
    }

    private static func started(_ call: CallInfo, _ file: FileAnalysis) -> String? {
        guard starts.contains(call.name), call.base.first?.isUppercase == true else { return nil }
        if let kit = kits.first(where: { call.base == $0 || call.base.hasPrefix($0 + ".") }) {
            return kit
        }
        // The type is neither of the project nor Apple's; the name is that of an imported module.
        let type = call.base.split(separator: ".").first.map(String.init) ?? ""
        let isOwn = file.file.types.contains { $0.name == type }
        let module = file.file.imports.map(\.module).first { module in
            !appleModules.contains(module) && module.count > 3
                && (type.hasPrefix(module) || module.hasPrefix(type))
        }
        return !isOwn && type.count > 3 && module != nil ? type : nil
    }

    private static let appleModules: Set<String> = [
        "Foundation", "UIKit", "SwiftUI", "Security", "CryptoKit", "LocalAuthentication", "AppKit",
        "Combine", "CloudKit", "StoreKit", "WidgetKit", "BackgroundTasks", "UserNotifications",
        "AuthenticationServices", "Network", "OSLog", "os", "WatchKit", "WatchConnectivity",
    ]

    private static let names = ["cleanup", "firstlaunch", "wipekeychain", "freshinstall"]

    /// Whether a call deletes items of an earlier installation.
    ///
    /// Either its name says so, or it, or a function of the file, deletes items after a check of a
    /// flag in the defaults.
    private static func isCleanup(
        _ call: CallInfo,
        in function: FunctionInfo,
        _ file: FileAnalysis
    ) -> Bool {
        if names.contains(where: call.name.lowercased().contains) { return true }
        if call.name == "SecItemDelete" || Wrappers.deletesAll(call) {
            return looksAtFlag(function, file)
        }
        return file.file.functions.contains { callee in
            callee.name == call.name && callee.id != function.id && !callee.isTopLevel
                && callee.text.contains("SecItemDelete") && looksAtFlag(callee, file)
        }
    }

    /// Whether code reads a mark from the defaults, from a property stored in them, or from a file.
    private static func looksAtFlag(_ function: FunctionInfo, _ file: FileAnalysis) -> Bool {
        if function.text.contains("fileExists") { return true }
        let asks = ["bool", "object", "string", "integer"].contains {
            function.text.contains("\($0) (") || function.text.contains("\($0)(")
        }
        if function.text.contains("efaults"), asks { return true }
        guard file.file.source.text.contains("@AppStorage") else { return false }
        let finder = StoredFlagFinder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        let words = function.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return finder.found.contains { words.contains(Substring($0)) }
    }
}

extension ProjectCheck {
    /// The check for a step of every launch that copies an old store into the keychain, with any
    /// name.
    static let copyEveryLaunch = ProjectCheck("KC607") { facts, reporter in
        var reported: Set<ProjectFacts.Location> = []
        for root in facts.launchRoots + facts.returnRoots {
            for location in facts.reachable(from: root).sorted(by: {
                ($0.file, $0.function) < ($1.file, $1.function)
            }) {
                let function = facts.function(location)
                let file = facts.project.files[location.file]
                // A function with such a name is found in its file.
                guard !function.isMigration, !function.isTopLevel, !file.file.isTest,
                    Migrations.copiesWithoutEnd(function, file),
                    !Migrations.isVersioned(facts.function(root)),
                    reported.insert(location).inserted
                else { continue }
                reporter.report(function.nameNode, in: file)
            }
        }
    }

    /// The check for a state that is read once and kept, while the device locks and unlocks.
    static let stateReadOnce = ProjectCheck("KC207") { facts, reporter in
        let news = [
            "protectedDataDidBecomeAvailable", "protectedDataWillBecomeUnavailable",
            "applicationProtectedData", "ProtectedDataDidBecomeAvailable",
            "ProtectedDataWillBecomeUnavailable",
        ]
        for file in facts.project.files where !file.file.isTest {
            let text = file.file.source.text
            guard text.contains("isProtectedDataAvailable"), !news.contains(where: text.contains)
            else { continue }
            let finder = StoredStateFinder(viewMode: .sourceAccurate)
            finder.walk(file.file.tree)
            for node in finder.found {
                reporter.report(
                    node,
                    in: file,
                    "The state is read once and kept: the device locks and unlocks later."
                )
            }
        }
    }
}

/// Finds the properties that `@AppStorage` stores in the defaults.
private final class StoredFlagFinder: SyntaxVisitor {
    private(set) var found: [String] = []

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let isStored = node.attributes.contains {
            $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "AppStorage"
        }
        if isStored { found += node.bindings.map(\.pattern.trimmedDescription) }
        return .visitChildren
    }
}

/// Finds properties that store `isProtectedDataAvailable` at their start.
private final class StoredStateFinder: SyntaxVisitor {
    private(set) var found: [Syntax] = []

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let base = node.base?.trimmedDescription.lowercased() ?? ""
        guard node.declName.baseName.text == "isProtectedDataAvailable",
            base.contains("application")
        else { return .visitChildren }
        if isInitialValue(Syntax(node)) || isAssignedInInitializer(Syntax(node)) {
            found.append(Syntax(node))
        }
        return .visitChildren
    }

    /// Whether it is the initial value of a stored property.
    private func isInitialValue(_ node: Syntax) -> Bool {
        guard let clause = node.firstAncestor(InitializerClauseSyntax.self),
            let variable = clause.firstAncestor(VariableDeclSyntax.self),
            variable.parent?.is(MemberBlockItemSyntax.self) == true
        else { return false }
        return node.firstAncestor(ClosureExprSyntax.self)
            .map { $0.position < variable.position } ?? true
    }

    /// Whether an initializer assigns it to a property that no other code changes later.
    private func isAssignedInInitializer(_ node: Syntax) -> Bool {
        guard let initializer = node.firstAncestor(InitializerDeclSyntax.self),
            let assignment = node.firstAncestor(InfixOperatorExprSyntax.self),
            assignment.operator.is(AssignmentExprSyntax.self),
            node.firstAncestor(ClosureExprSyntax.self) == nil
        else { return false }
        let target =
            assignment.leftOperand.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? assignment.leftOperand.as(DeclReferenceExprSyntax.self)?.baseName.text
        guard let target, let body = initializer.body else { return false }
        let local = InitialValueFinder(target, before: node.position.utf8Offset)
        local.walk(body)
        let all = AssignmentFinder(target)
        all.walk(node.root)
        let isOwn = local.value == nil || local.value?.id == assignment.rightOperand.id
        return isOwn && all.found.count == 1
    }
}
