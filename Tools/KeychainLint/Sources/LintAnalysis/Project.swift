import Foundation
import LintModel
import Synchronization

/// All files of a run, parsed and analyzed.
package struct Project: Sendable {
    package let files: [FileAnalysis]
    package let targets: [Target]
    package let buildSettings: [PropertyList]
    package let configuration: Configuration
    package let baselineItems: [Baseline.Item]
    /// Files that are too large or too deep.
    package let unread: [UnreadFile]

    /// Parses and analyzes files; `complain` receives a line for each unknown part.
    package init(
        _ inputs: ProjectFiles,
        configuration: Configuration = Configuration(),
        baselineItems: [Baseline.Item] = [],
        complain: (String) -> Void = Project.complain
    ) {
        let parsed = Self.map(inputs.sources) { source in
            Nesting.isTooDeep(source.text)
                ? nil : ParsedFile(source: source, target: inputs.target(of: source.path))
        }
        let deep = zip(inputs.sources, parsed).filter { $0.1 == nil }.map { source, _ in
            UnreadFile(path: source.path, reason: "its code nests too deep")
        }
        let readable = parsed.compactMap { $0 }
        let index = Self.map([readable]) { ConstantIndex($0) }.first ?? ConstantIndex([])
        files = Self.map(readable) { FileAnalysis($0, index) }
        unread = inputs.unread + deep
        targets = inputs.targets
        buildSettings = inputs.buildSettings
        self.configuration = configuration
        self.baselineItems = baselineItems
        for line in notes { complain(line) }
    }

    /// The parts that this run does not know, in lines for people.
    package var notes: [String] {
        var lines = unread.map { "\($0.path) is not read: \($0.reason)" }
        if unread.count > 0 {
            lines.append(
                unread.count == 1
                    ? "1 file is not checked" : "\(unread.count) files are not checked"
            )
        }
        for analysis in files {
            guard let first = analysis.unfinished.first else { continue }
            let place = analysis.file.place(first.node)
            let name = first.isTopLevel ? "the code outside functions" : "\"\(first.name)\""
            let others = analysis.unfinished.count - 1
            lines.append(
                "\(place.file):\(place.line): \(name)\(others > 0 ? " and \(others) more" : "")"
                    + " has too much to follow; values there are unknown, and rules are silent"
            )
        }
        return lines
    }

    /// Writes a line to standard error.
    package static func complain(_ line: String) {
        let text = "keychain-lint: \(line.visible)\n"
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Maps on all processors, in order, with a stack for deep code.
    package static func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input],
        _ transform: @escaping @Sendable (Input) -> Output
    ) -> [Output] {
        let results = Mutex<[Output?]>(Array(repeating: nil, count: inputs.count))
        Worker.run(inputs.count) { index in
            let output = transform(inputs[index])
            results.withLock { $0[index] = output }
        }
        return results.withLock { $0 }.compactMap { $0 }
    }
}

extension Project {
    /// The number of dictionaries at calls that are known completely, and the number of calls.
    package var resolvedDictionaries: (known: Int, all: Int) {
        var known = 0
        var all = 0
        for file in files {
            let verbs = file.calls.filter { $0.name.hasPrefix("SecItem") }
            all += verbs.count
            known += verbs.count { call in
                let uses = file.uses.filter {
                    $0.call?.start == call.start && $0.role != .updateValues
                }
                return uses.contains { !$0.dictionary.isOpen }
            }
        }
        return (known, all)
    }
}
