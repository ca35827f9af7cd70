import Dispatch
import LintModel
import Synchronization

/// All files of a run, read and analyzed.
package struct Project: Sendable {
    package let files: [FileAnalysis]
    package let targets: [Target]
    package let buildSettings: [PropertyList]
    package let configuration: Configuration
    package let baselineItems: [Baseline.Item]

    package init(
        _ inputs: ProjectFiles,
        configuration: Configuration = Configuration(),
        baselineItems: [Baseline.Item] = []
    ) {
        let parsed = Self.map(inputs.sources) {
            ParsedFile(source: $0, target: inputs.target(of: $0.path))
        }
        let index = ConstantIndex(parsed)
        files = Self.map(parsed) { FileAnalysis($0, index) }
        targets = inputs.targets
        buildSettings = inputs.buildSettings
        self.configuration = configuration
        self.baselineItems = baselineItems
    }

    /// Maps on all processors, in order.
    package static func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input],
        _ transform: @escaping @Sendable (Input) -> Output
    ) -> [Output] {
        let results = Mutex<[Output?]>(Array(repeating: nil, count: inputs.count))
        DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
            let output = transform(inputs[index])
            results.withLock { $0[index] = output }
        }
        return results.withLock { $0 }.compactMap { $0 }
    }
}

extension Project {
    /// How many dictionaries at calls are known completely, and how many calls there are.
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
