/// Every policy of a machine, or of an account's own daemon.
package struct ProgramPolicies: Sendable, Hashable {
    package private(set) var policies: [ProgramPolicy] = []

    package init(_ policies: [ProgramPolicy] = []) { add(policies) }

    /// Adds the policies of one file, or of several in the order in which they are read.
    ///
    /// A later policy takes the place of an earlier one with the same selector.
    package mutating func add(_ later: [ProgramPolicy]) {
        for policy in later {
            policies.removeAll { $0.selector.isSame(as: policy.selector) }
            policies.append(policy)
        }
    }

    /// Returns the policy of a selector; nil for none.
    func policy(for selector: ProgramSelector) -> ProgramPolicy? {
        policies.first { $0.selector.isSame(as: selector) }
    }
}
