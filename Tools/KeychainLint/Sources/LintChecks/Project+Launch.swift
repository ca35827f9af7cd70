import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension ProjectCheck {
    static let launch: [ProjectCheck] = [
        launchRead, ungatedMigration, noFirstLaunchCleanup, copyEveryLaunch, stateReadOnce,
        readBehindView,
    ]

    private static let launchRead = ProjectCheck("KC207") { facts, reporter in
        for root in facts.launchRoots {
            let function = facts.function(root)
            let file = facts.project.files[root.file]
            guard !facts.isGated(function), !facts.isMacOS(file.file) else { continue }
            for call in facts.calls(in: root) {
                if call.name == "SecItemCopyMatching" {
                    reporter.report(call.node, in: file)
                    break
                }
                guard let read = ungatedRead(call, in: root, facts) else { continue }
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
        }
    }

    /// Returns a read of the keychain after a call, if no function in between waits for protected
    /// data.
    private static func ungatedRead(
        _ call: CallInfo,
        in root: ProjectFacts.Location,
        _ facts: ProjectFacts
    ) -> (call: SecurityCall, file: FileAnalysis)? {
        let caller = facts.function(root)
        for callee in facts.callees(of: call, in: root.file, from: caller) {
            let reached = facts.reachable(from: callee).sorted {
                ($0.file, $0.function) < ($1.file, $1.function)
            }
            guard !reached.contains(where: { facts.isGated(facts.function($0)) }) else { continue }
            for location in reached {
                let read = facts.securityCalls(in: location).first {
                    $0.name == "SecItemCopyMatching"
                }
                if let read { return (read, facts.project.files[location.file]) }
            }
        }
        return nil
    }

    private static let ungatedMigration = ProjectCheck("KC606") { facts, reporter in
        var reported: Set<ProjectFacts.Location> = []
        for (index, file) in facts.project.files.enumerated() where !file.file.isTest {
            for (position, function) in file.file.functions.enumerated() {
                guard function.isMigration, !facts.isGated(function),
                    Migrations.runsEveryLaunch(function, file), !facts.isMacOS(file.file)
                else { continue }
                reported.insert(.init(file: index, function: position))
                reporter.report(function.nameNode, in: file)
            }
        }
        for root in facts.launchRoots where !facts.isGated(facts.function(root)) {
            for call in facts.calls(in: root) {
                for callee in facts.callees(of: call, in: root.file, from: facts.function(root)) {
                    let function = facts.function(callee)
                    let file = facts.project.files[callee.file]
                    guard function.isMigration, file.usesKeychain, !facts.isMacOS(file.file),
                        !facts.reachable(from: callee).contains(where: {
                            facts.isGated(facts.function($0))
                        }),
                        reported.insert(callee).inserted
                    else { continue }
                    reporter.report(function.nameNode, in: file)
                }
            }
        }
    }

    private static let cleanups = [
        "cleanup", "firstlaunch", "firstrun", "freshinstall", "reinstall", "wipekeychain",
        "hasrunbefore", "hasrun", "hascompletedfirstlaunch", "launchedbefore", "resetkeychain",
    ]

    private static let noFirstLaunchCleanup = ProjectCheck("KC603") { facts, reporter in
        var seen: Set<String> = []
        for file in facts.project.files where !file.file.isTest && !facts.isMacOS(file.file) {
            let target = file.file.target
            guard target?.isExtension != true, let app = file.file.types.first(where: isApp) else {
                continue
            }
            let directory = target?.directory ?? ""
            let members = facts.project.files.filter {
                ($0.file.target?.directory ?? "") == directory && !$0.file.isTest
            }
            guard seen.insert(directory).inserted, members.contains(where: \.usesKeychain),
                !members.contains(where: hasCleanup)
            else { continue }
            reporter.report(app.nameNode, in: file)
        }
    }

    private static func isApp(_ type: TypeInfo) -> Bool {
        let isMain = type.attributes.contains { ["@main", "@UIApplicationMain"].contains($0) }
        let isDelegate =
            type.inherited.contains("App") || type.inherited.contains("UIApplicationDelegate")
        return isMain && isDelegate
    }

    private static func hasCleanup(_ file: FileAnalysis) -> Bool {
        let text = file.file.source.text.lowercased()
        return file.file.calls.contains { call in
            cleanups.contains(where: call.name.lowercased().contains)
        }
            || cleanups.contains { word in
                text.contains(word)
                    && file.file.functions.contains { $0.text.lowercased().contains(word) }
            }
    }
}

extension TypeInfo {
    /// The node for a report about a type, which is its name.
    var nameNode: Syntax {
        if let declaration = node.as(StructDeclSyntax.self) { return Syntax(declaration.name) }
        if let declaration = node.as(ClassDeclSyntax.self) { return Syntax(declaration.name) }
        return node
    }
}
