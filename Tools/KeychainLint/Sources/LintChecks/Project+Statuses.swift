import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension ProjectCheck {
    static let wrappedStatuses: [ProjectCheck] = [ignoredStatusOfWrapper]

    /// The check for the status that a function of the project passes on from the keychain.
    private static let ignoredStatusOfWrapper = ProjectCheck("KC501") { facts, reporter in
        let wrappers = StatusWrapper.all(in: facts)
        guard !wrappers.isEmpty else { return }
        for file in facts.project.files where !file.file.isTest {
            for call in file.file.calls {
                guard let wrapper = wrappers.meant(by: call, in: file.file),
                    let caller = file.file.function(around: call.node),
                    StatusFlow(of: call.node, in: caller).isDiscarded
                else { continue }
                reporter.report(
                    call.node,
                    in: file,
                    "Nobody reads the status of \(wrapper.function), which \(call.name) returns: "
                        + "a failure goes unnoticed.",
                    severity: wrapper.function == "SecItemDelete" ? .note : .error
                )
            }
        }
    }
}

/// A function that returns the status of a call of the keychain.
private struct StatusWrapper {
    let name: String
    let typeName: String?
    let labels: [String?]
    /// The function of the keychain that returns the status.
    let function: String

    private static let functions = [
        "SecItemAdd", "SecItemUpdate", "SecItemCopyMatching", "SecItemDelete",
    ]

    private init(_ info: FunctionInfo, returning function: String) {
        name = info.name
        typeName = info.typeName
        labels = info.parameters.map(\.label)
        self.function = function
    }

    /// Returns the wrappers of a project, including wrappers of wrappers.
    ///
    /// A wrapper with the name of another function is left out, because the call may mean that one.
    static func all(in facts: ProjectFacts) -> [String: [StatusWrapper]] {
        var found: [String: [StatusWrapper]] = [:]
        for file in facts.project.files where !file.file.isTest {
            for call in file.calls
            where functions.contains(call.name) && call.status.isReturned {
                guard let info = file.file.function(around: call.node), info.returnsStatus else {
                    continue
                }
                found[info.name, default: []].append(.init(info, returning: call.name))
            }
        }
        guard !found.isEmpty else { return [:] }
        for file in facts.project.files where !file.file.isTest {
            for call in file.file.calls {
                guard let inner = found.meant(by: call, in: file.file),
                    let info = file.file.function(around: call.node), info.returnsStatus,
                    StatusFlow(of: call.node, in: info).isReturned
                else { continue }
                found[info.name, default: []].append(.init(info, returning: inner.function))
            }
        }
        return found.filter { name, wrappers in
            facts.functions(named: name).allSatisfy { info in
                info.returnsStatus || wrappers.allSatisfy { $0.typeName != info.typeName }
            }
        }
    }

    /// Whether a call has the labels of the parameters, except those with default values.
    func accepts(_ call: CallInfo) -> Bool {
        var rest = labels[...]
        for argument in call.node.arguments {
            guard let index = rest.firstIndex(of: argument.label?.text) else { return false }
            rest = rest[(index + 1)...]
        }
        return call.node.trailingClosure == nil
    }
}

extension [String: [StatusWrapper]] {
    /// Returns the wrapper that a call means, if that is certain.
    fileprivate func meant(by call: CallInfo, in file: ParsedFile) -> StatusWrapper? {
        guard let named = self[call.name]?.filter({ $0.accepts(call) }), !named.isEmpty else {
            return nil
        }
        if ["", "self", "Self"].contains(call.base) {
            let type = file.function(around: call.node)?.typeName
            return named.first { $0.typeName == type || $0.typeName == nil && call.base.isEmpty }
        }
        return named.first { wrapper in
            wrapper.typeName.map { file.isInstance(call.base, of: $0) } ?? false
        }
    }
}

extension FunctionInfo {
    fileprivate var returnsStatus: Bool { returnType == "OSStatus" && !isProperty && !isTopLevel }
}

extension ParsedFile {
    /// Whether the text of an expression names a type, or a declaration of that type in the file.
    fileprivate func isInstance(_ base: String, of type: String) -> Bool {
        let path = base.filter { !"?!".contains($0) }
        if path == type || path == "\(type).shared" || path == "\(type)()" { return true }
        guard let name = path.split(separator: ".").last, name != "shared" else { return false }
        let declarations = ["\(name): \(type)", "\(name) = \(type)(", "\(name) = \(type)."]
        return declarations.contains(where: source.text.contains)
    }
}
