/// The deletions from old stores, described before they happen.
struct DeletionForecast {
    /// One sentence for each store that loses secrets.
    let sentences: [String]

    /// The greatest number of names in a sentence.
    private static let nameCountLimit = 10

    init(_ plans: [PlannedSecret], home: String) {
        let moving = plans.filter { $0.move != nil }
        var stores: [String] = []
        for plan in moving where !stores.contains(plan.from) { stores.append(plan.from) }
        let names = Dictionary(grouping: moving, by: \.from).mapValues { $0.map(\.name) }
        sentences = stores.map { store in
            Self.sentence(ResolvedPath.short(store, home: home), names[store] ?? [])
        }
    }

    private static func sentence(_ store: String, _ names: [String]) -> String {
        let shown = names.prefix(nameCountLimit).joined(separator: ", ")
        let more = names.count - nameCountLimit
        let rest = more > 0 ? " and \(more) more" : ""
        return "migrate deletes from \(store), once the keychain holds them: \(shown)\(rest)"
    }
}

extension PlannedSecret {
    /// What it is for; its line where the file does not say.
    fileprivate var name: String {
        what.isEmpty ? line.map { "line \($0)" } ?? "a secret without a name" : what
    }
}
