import JSON

/// The reason why a policy file is rejected.
package struct PolicyError: Error, Sendable, Hashable {
    /// The line, counted from 1; 0 for the file as a whole.
    package let line: Int
    /// A sentence without its end.
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }
}

/// A reader of the JSON of a policy file: one object, or a list of them.
///
/// A file is accepted or rejected as a whole, because a part of it may not be what root intended.
///
/// - Source: Documentation/Spec/evidence.md §4.
package enum PolicyFile {
    /// The largest file in bytes.
    package static let byteLimit = 1 << 20
    /// The most policies in a file.
    package static let countLimit = 1024
    /// The most groups in a policy.
    static let groupLimit = 64
    /// The longest path in bytes, and the longest name of anything else.
    static let pathLimit = 4095
    static let nameLimit = 255

    /// Reads one file.
    ///
    /// - Parameters:
    ///   - bytes: All of the file.
    ///   - path: Its path, for the reasons.
    /// - Returns: The policies in the order of the file.
    /// - Throws: `PolicyError` at the first deviation from the format.
    package static func parse(
        _ bytes: [UInt8],
        path: String
    ) throws(PolicyError) -> [ProgramPolicy] {
        let limits = JSONLimits(depth: 4, byteCount: byteLimit)
        let result: Result<[ProgramPolicy], PolicyError>
        do throws(JSONError) {
            result = try JSONText.read(bytes, limits) { text throws(JSONError) in
                Result { () throws(PolicyError) in
                    try PolicyReading(text: text, path: path).policies()
                }
            }
        } catch { throw PolicyError(line: error.line, reason: error.reason) }
        return try result.get()
    }
}

/// The state of reading one file.
private struct PolicyReading {
    let text: JSONText
    let path: String

    func policies() throws(PolicyError) -> [ProgramPolicy] {
        if let repeated = text.repeatedKey {
            throw PolicyError(
                line: repeated.line,
                reason: "the key `\(shown(repeated.key))` repeats"
            )
        }
        let objects: [JSONText.Node]
        if case .array(let elements) = text.root.content {
            objects = elements
        } else {
            objects = [text.root]
        }
        guard objects.count <= PolicyFile.countLimit else {
            throw error(text.root, "a file has at most \(PolicyFile.countLimit) policies")
        }
        var policies: [ProgramPolicy] = []
        for object in objects {
            let policy = try policy(object)
            guard !policies.contains(where: { $0.selector.isSame(as: policy.selector) }) else {
                throw error(
                    object,
                    "there are two policies for \(policy.selector.key) `\(policy.selector.value)`"
                )
            }
            policies.append(policy)
        }
        return policies
    }

    private func policy(_ node: JSONText.Node) throws(PolicyError) -> ProgramPolicy {
        guard case .object(let members) = node.content else {
            throw error(node, "a policy is an object, or a list of objects")
        }
        var selector: ProgramSelector?
        var level: EvidenceLevel?
        var identifier: String?
        var groups: [String] = []
        for member in members {
            switch member.key {
            case "level": level = try self.level(member.value)
            case "applicationIdentifier": identifier = try group(member.value, of: member.key)
            case "accessGroups": groups = try self.groups(member.value)
            default:
                let named = try self.selector(member)
                if let selector {
                    throw error(
                        member.value,
                        "a policy has one of `\(selector.key)` and `\(named.key)`, not both"
                    )
                }
                selector = named
            }
        }
        guard let selector else {
            throw error(node, "a policy needs one of program, unit, flatpak, snap, label, account")
        }
        return ProgramPolicy(
            selector: selector,
            level: level,
            applicationIdentifier: identifier,
            accessGroups: groups,
            source: path
        )
    }

    private func selector(_ member: JSONText.Member) throws(PolicyError) -> ProgramSelector {
        guard ProgramSelector(key: member.key, value: "") != nil else {
            throw PolicyError(
                line: text.line(of: member),
                reason: "unknown key `\(shown(member.key))`"
            )
        }
        let isProgram = member.key == "program"
        let limit = isProgram ? PolicyFile.pathLimit : PolicyFile.nameLimit
        let value = try word(member.value, of: member.key, limit: limit)
        if isProgram, !isCanonical(value) {
            throw error(
                member.value,
                "`program` is an absolute path without `.`, `..`, doubled and trailing slashes"
            )
        }
        if member.key == "unit", !value.hasSuffix(".service") {
            throw error(member.value, "`unit` is the name of a service, such as shop.service")
        }
        guard let selector = ProgramSelector(key: member.key, value: value) else {
            throw error(member.value, "unknown key")
        }
        return selector
    }

    /// Whether a path is as the kernel writes it; no other path is ever equal to a caller's.
    private func isCanonical(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].isEmpty else { return false }
        return parts.dropFirst().allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
    }

    private func level(_ node: JSONText.Node) throws(PolicyError) -> EvidenceLevel {
        let word = try word(node, of: "level", limit: PolicyFile.nameLimit)
        guard let level = EvidenceLevel(word: word) else {
            throw error(node, "`level` is one of verified, confined, observed, nobody")
        }
        return level
    }

    private func groups(_ node: JSONText.Node) throws(PolicyError) -> [String] {
        guard case .array(let elements) = node.content else {
            throw error(node, "`accessGroups` is a list of names")
        }
        guard elements.count <= PolicyFile.groupLimit else {
            throw error(node, "`accessGroups` has at most \(PolicyFile.groupLimit) names")
        }
        var groups: [String] = []
        for element in elements { groups.append(try group(element, of: "accessGroups")) }
        return groups
    }

    /// Returns a group; a wildcard would include groups that the file does not list.
    private func group(_ node: JSONText.Node, of key: String) throws(PolicyError) -> String {
        let group = try word(node, of: key, limit: PolicyFile.pathLimit)
        guard !group.hasSuffix("*") else {
            throw error(node, "`\(key)` names every group in full: there is no `*`")
        }
        return group
    }

    /// Returns a string that is neither empty nor too long and has no control characters.
    private func word(
        _ node: JSONText.Node,
        of key: String,
        limit: Int
    ) throws(PolicyError) -> String {
        guard let word = text.text(node), !word.isEmpty else {
            throw error(node, "`\(key)` is a string that is not empty")
        }
        guard word.utf8.count <= limit else {
            throw error(node, "`\(key)` has more than \(limit) bytes")
        }
        guard word.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw error(node, "`\(key)` contains a control character")
        }
        return word
    }

    /// Returns an unknown key, cut to the room in the line of an error.
    private func shown(_ key: String) -> String {
        let plain = key.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String(String.UnicodeScalarView(plain)).prefix(40))
    }

    private func error(_ node: JSONText.Node, _ reason: String) -> PolicyError {
        PolicyError(line: text.line(of: node), reason: reason)
    }
}
