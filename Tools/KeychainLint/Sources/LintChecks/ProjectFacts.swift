import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

/// The facts for rules about several files, such as the calls between functions.
struct ProjectFacts: Sendable {
    let project: Project
    private let byName: [String: [Location]]
    /// Functions that run in the background, themselves or through calls.
    private(set) var background: Set<Location> = []

    /// A function of a file.
    struct Location: Hashable, Sendable {
        let file: Int
        let function: Int
    }

    init(_ project: Project) {
        self.project = project
        var byName: [String: [Location]] = [:]
        for (file, analysis) in project.files.enumerated() {
            for (function, info) in analysis.file.functions.enumerated() where !info.isTopLevel {
                byName[info.name, default: []].append(Location(file: file, function: function))
            }
        }
        self.byName = byName
        let marks =
            Self.backgroundTypes + [
                "performFetch", "BGTask", "BGAppRefreshTask",
                "BGProcessingTask", "didReceiveRemoteNotification", "BGTaskScheduler",
            ]
        for (file, analysis) in project.files.enumerated()
        where marks.contains(where: analysis.file.source.text.contains) {
            for function in roots(in: file) {
                background.formUnion(reachable(from: Location(file: file, function: function)))
            }
        }
    }

    func function(_ location: Location) -> FunctionInfo {
        project.files[location.file].file.functions[location.function]
    }

    /// Returns the functions of the project with a name.
    func functions(named name: String) -> [FunctionInfo] { (byName[name] ?? []).map(function) }

    func location(of function: FunctionInfo, in file: FileAnalysis) -> Location? {
        guard
            let index = project.files.firstIndex(where: {
                $0.file.source.path == file.file.source.path
            }),
            let position = project.files[index].file.functions.firstIndex(where: {
                $0.id == function.id
            })
        else { return nil }
        return Location(file: index, function: position)
    }

    // MARK: Background

    private static let backgroundTypes = [
        "UNNotificationServiceExtension", "TimelineProvider", "IntentTimelineProvider",
        "AppIntentTimelineProvider", "NEPacketTunnelProvider", "NEAppProxyProvider",
        "NEFilterDataProvider", "NEDNSProxyProvider", "CXCallDirectoryProvider",
    ]

    /// Returns the functions of a file that the system calls while the device may be locked.
    private func roots(in file: Int) -> [Int] {
        let functions = project.files[file].file.functions
        return functions.indices.filter { index in
            let function = functions[index]
            guard !function.isTopLevel else { return false }
            if function.inherited.contains(where: Self.backgroundTypes.contains) { return true }
            if function.parameters.contains(where: { parameter in
                ["BGTask", "BGAppRefreshTask", "BGProcessingTask"].contains(parameter.type)
                    || parameter.label == "performFetchWithCompletionHandler"
                    || parameter.label == "didReceiveRemoteNotification"
                    || parameter.label == "handleEventsForBackgroundURLSession"
            }) {
                return true
            }
            return function.name == "performFetch"
        }
    }

    // MARK: Calls

    /// Returns the functions of the project that a call can mean, if that is certain.
    func callees(of call: CallInfo, in file: Int, from caller: FunctionInfo) -> [Location] {
        guard let all = byName[call.name], call.base != "super" else { return [] }
        let own = all.filter { $0.file == file && function($0).id != caller.id }
        let isOwn = ["", "self", "Self"].contains(call.base)
        if isOwn, !own.isEmpty {
            let sameType = own.filter { function($0).typeName == caller.typeName }
            return sameType.isEmpty ? own : sameType
        }
        let named = all.filter { location in
            guard let type = function(location).typeName else { return false }
            return call.base.hasPrefix(type)
        }
        if !named.isEmpty { return named }
        return all.count == 1 && call.name.count > 5 ? all : []
    }

    func calls(in location: Location) -> [CallInfo] {
        let info = function(location)
        return project.files[location.file].file.calls.filter { info.contains($0.node) }
    }

    /// Returns all functions that run when a function does.
    func reachable(from start: Location) -> Set<Location> {
        var seen: Set<Location> = [start]
        var open = [start]
        while let next = open.popLast() {
            for call in calls(in: next) {
                for callee in callees(of: call, in: next.file, from: function(next))
                where seen.insert(callee).inserted {
                    open.append(callee)
                }
            }
        }
        return seen
    }

    /// Returns the calls of the keychain in a function.
    func securityCalls(in location: Location) -> [SecurityCall] {
        let info = function(location)
        return project.files[location.file].calls.filter {
            $0.function.id == info.id && $0.name.hasPrefix("SecItem")
        }
    }

    // MARK: Launch

    /// Functions that the system calls while the app starts.
    var launchRoots: [Location] {
        project.files.indices.flatMap { file -> [Location] in
            let analysis = project.files[file]
            guard !analysis.file.isTest, analysis.file.target?.isExtension != true else {
                return []
            }
            return analysis.file.functions.indices.filter { index in
                let function = analysis.file.functions[index]
                switch function.name {
                case "init":
                    return function.inherited.contains("App")
                        || function.isAppDelegate
                            && function.inherited.contains("App")
                case "application":
                    return function.parameters.contains {
                        $0.label == "didFinishLaunchingWithOptions"
                            || $0.label == "willFinishLaunchingWithOptions"
                    }
                case "main": return function.attributes.contains("@main")
                default: return false
                }
            }.map { Location(file: file, function: $0) }
        }
    }

    /// The functions that the system calls each time the app comes to the front.
    var returnRoots: [Location] {
        let names = [
            "applicationDidBecomeActive", "applicationWillEnterForeground", "sceneDidBecomeActive",
            "sceneWillEnterForeground",
        ]
        return names.flatMap { byName[$0] ?? [] }.filter { !project.files[$0.file].file.isTest }
    }

    /// Whether code waits until protected data is available.
    func isGated(_ function: FunctionInfo) -> Bool {
        let gates =
            [
                "isProtectedDataAvailable", "protectedDataDidBecomeAvailable",
                "protectedDataAvailable",
            ] + (project.configuration.gates ?? [])
        return gates.contains(where: function.text.contains)
    }

    func isMacOS(_ file: ParsedFile) -> Bool {
        Platform.isMacOS(Syntax(file.tree), file, project.configuration)
    }

    /// Whether a file of the project contains one of the words.
    func mentions(_ words: String...) -> Bool {
        project.files.contains { file in words.contains(where: file.file.source.text.contains) }
    }

    /// All adds, with their files.
    var adds: [(use: QueryUse, file: FileAnalysis)] {
        project.files.filter { !$0.file.isTest }.flatMap { file in
            file.uses.filter(\.isAdd).map { ($0, file) }
        }
    }
}

extension FunctionInfo {
    var isAppDelegate: Bool {
        inherited.contains("UIApplicationDelegate") || typeName == "AppDelegate"
    }
}

extension Reporter {
    /// Reports a node of a file.
    mutating func report(
        _ node: some SyntaxProtocol,
        in file: FileAnalysis,
        _ what: String? = nil,
        severity: Severity? = nil,
        related: [(node: Syntax, text: String)] = [],
        subjects: [Int] = []
    ) {
        self.file = file.file
        report(node, what, severity: severity, related: related, subjects: subjects)
    }
}
