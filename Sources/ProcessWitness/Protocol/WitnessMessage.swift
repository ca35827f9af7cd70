import CallerEvidence

/// A question of the daemon to the witness, sent with a descriptor of the process.
///
/// - Source: Documentation/Spec/evidence.md §7.
package struct WitnessQuestion: Sendable, Hashable {
    /// The account that sent the message, from the kernel.
    package let userID: UInt32
    /// The group of protected programs; nil if there is none.
    package let clientGroup: UInt32?

    package init(userID: UInt32, clientGroup: UInt32?) {
        self.userID = userID
        self.clientGroup = clientGroup
    }

    /// The size of a question in bytes.
    package static let byteCount = 16
    /// The number that stands for no group.
    ///
    /// No group has it, because chown(2) takes it for "unchanged".
    private static let noGroup = UInt32.max

    package var bytes: [UInt8] {
        var writer = WitnessWriter(mark: "KWQ1")
        writer.put(userID)
        writer.put(clientGroup ?? Self.noGroup)
        writer.put(UInt32(0))
        return writer.bytes
    }

    /// Parses a question; nil for any other bytes.
    package init?(_ bytes: [UInt8]) {
        guard var reader = WitnessReader(bytes, mark: "KWQ1"), let user: UInt32 = reader.take(),
            let group: UInt32 = reader.take(), let reserved: UInt32 = reader.take(), reserved == 0,
            reader.isAtEnd
        else { return nil }
        userID = user
        clientGroup = group == Self.noGroup ? nil : group
    }
}

/// The witness's answer; evidence may come with the opened executable.
///
/// - Source: Documentation/Spec/evidence.md §7.
package enum WitnessAnswer: Sendable, Hashable {
    case evidence(Evidence)
    case failure(EvidenceError)

    /// The largest answer in bytes.
    package static let byteLimit = 16 << 10

    package var bytes: [UInt8] {
        var writer = WitnessWriter(mark: "KWA1")
        switch self {
        case .evidence(let evidence):
            writer.put(UInt32(0))
            writer.put(evidence)
        case .failure(.ended): writer.put(UInt32(1))
        case .failure(.unanswered): writer.put(UInt32(2))
        case .failure(.refused(let operation, let code)):
            writer.put(UInt32(3))
            writer.put(UInt32(bitPattern: code))
            writer.put(operation, limit: 64)
        }
        return writer.bytes
    }

    /// Parses an answer; nil for bytes that no witness would write.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteLimit, var reader = WitnessReader(bytes, mark: "KWA1"),
            let kind: UInt32 = reader.take(), let answer = Self.answer(kind, from: &reader),
            reader.isAtEnd, answer.bytes == bytes
        else { return nil }
        self = answer
    }

    private static func answer(_ kind: UInt32, from reader: inout WitnessReader) -> WitnessAnswer? {
        switch kind {
        case 0: return reader.evidence().map(WitnessAnswer.evidence)
        case 1: return .failure(.ended)
        case 2: return .failure(.unanswered)
        case 3:
            guard let code: UInt32 = reader.take(), let operation = reader.text(limit: 64) else {
                return nil
            }
            return .failure(.refused(operation: operation, code: Int32(bitPattern: code)))
        default: return nil
        }
    }
}

/// The Boolean values of the evidence, one bit each.
private struct WitnessFlags: OptionSet {
    let rawValue: UInt32

    static let hasExecutable = WitnessFlags(rawValue: 1 << 0)
    static let isRootOwned = WitnessFlags(rawValue: 1 << 1)
    static let hasClientGroup = WitnessFlags(rawValue: 1 << 2)
    static let isReplaceable = WitnessFlags(rawValue: 1 << 3)
    static let isPresent = WitnessFlags(rawValue: 1 << 4)
    static let isExecutedSecurely = WitnessFlags(rawValue: 1 << 5)
    static let isTraced = WitnessFlags(rawValue: 1 << 6)
    static let isInOtherUserNamespace = WitnessFlags(rawValue: 1 << 7)
    static let hasSeveralAccounts = WitnessFlags(rawValue: 1 << 8)
    static let all = WitnessFlags(rawValue: (1 << 9) - 1)

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ evidence: Evidence) {
        self = []
        insert(.isExecutedSecurely, if: evidence.isExecutedSecurely)
        insert(.isTraced, if: evidence.isTraced)
        insert(.isInOtherUserNamespace, if: evidence.isInOtherUserNamespace)
        insert(.hasSeveralAccounts, if: evidence.hasSeveralAccounts)
        guard let executable = evidence.executable else { return }
        insert(.hasExecutable, if: true)
        insert(.isRootOwned, if: executable.isRootOwned)
        insert(.hasClientGroup, if: executable.hasClientGroup)
        insert(.isReplaceable, if: executable.isReplaceable)
        insert(.isPresent, if: executable.isPresent)
    }

    private mutating func insert(_ flag: WitnessFlags, if condition: Bool) {
        if condition { insert(flag) }
    }
}

/// The greatest sizes of texts in bytes, and the greatest number of mappings.
private enum WitnessLimit {
    static let path = 4095
    static let name = 255
    static let mapping = 1024
    static let mappings = 8
}

extension WitnessWriter {
    fileprivate mutating func put(_ evidence: Evidence) {
        put(WitnessFlags(evidence).rawValue)
        put(evidence.userID)
        put(UInt32(bitPattern: evidence.processID))
        put(evidence.image)
        if let executable = evidence.executable {
            put(executable.device)
            put(executable.inode)
            put(executable.path, limit: WitnessLimit.path)
        }
        put(evidence.systemUnit ?? "", limit: WitnessLimit.name)
        switch evidence.confinement {
        case nil: put(UInt32(0))
        case .flatpak(let name): put(UInt32(1), name)
        case .snap(let name): put(UInt32(2), name)
        case .label(let name): put(UInt32(3), name)
        }
        let mappings = evidence.foreignMappings.prefix(WitnessLimit.mappings)
        put(UInt32(mappings.count))
        for mapping in mappings { put(mapping, limit: WitnessLimit.mapping) }
    }

    private mutating func put(_ kind: UInt32, _ name: String) {
        put(kind)
        put(name, limit: WitnessLimit.name)
    }
}

extension WitnessReader {
    fileprivate mutating func evidence() -> Evidence? {
        guard let bits: UInt32 = take(),
            WitnessFlags.all.rawValue | bits == WitnessFlags.all.rawValue,
            let user: UInt32 = take(), let process: UInt32 = take(), let image: UInt64 = take()
        else { return nil }
        let flags = WitnessFlags(rawValue: bits)
        var evidence = Evidence(userID: user, processID: Int32(bitPattern: process))
        evidence.image = image
        evidence.isExecutedSecurely = flags.contains(.isExecutedSecurely)
        evidence.isTraced = flags.contains(.isTraced)
        evidence.isInOtherUserNamespace = flags.contains(.isInOtherUserNamespace)
        evidence.hasSeveralAccounts = flags.contains(.hasSeveralAccounts)
        if flags.contains(.hasExecutable) {
            guard let executable = executable(flags) else { return nil }
            evidence.executable = executable
        }
        guard let unit = text(limit: WitnessLimit.name), takeConfinement(of: &evidence),
            takeMappings(of: &evidence)
        else { return nil }
        evidence.systemUnit = unit.isEmpty ? nil : unit
        return evidence
    }

    private mutating func executable(_ flags: WitnessFlags) -> ExecutableEvidence? {
        guard let device: UInt64 = take(), let inode: UInt64 = take(),
            let path = text(limit: WitnessLimit.path)
        else { return nil }
        return ExecutableEvidence(
            path: path,
            device: device,
            inode: inode,
            digest: nil,
            isRootOwned: flags.contains(.isRootOwned),
            hasClientGroup: flags.contains(.hasClientGroup),
            isReplaceable: flags.contains(.isReplaceable),
            isPresent: flags.contains(.isPresent)
        )
    }

    private mutating func takeConfinement(of evidence: inout Evidence) -> Bool {
        guard let kind: UInt32 = take() else { return false }
        if kind == 0 { return true }
        guard let name = text(limit: WitnessLimit.name), !name.isEmpty else { return false }
        switch kind {
        case 1: evidence.confinement = .flatpak(name)
        case 2: evidence.confinement = .snap(name)
        case 3: evidence.confinement = .label(name)
        default: return false
        }
        return true
    }

    private mutating func takeMappings(of evidence: inout Evidence) -> Bool {
        guard let count: UInt32 = take(), count <= UInt32(WitnessLimit.mappings) else {
            return false
        }
        for _ in 0..<count {
            guard let mapping = text(limit: WitnessLimit.mapping) else { return false }
            evidence.foreignMappings.append(mapping)
        }
        return true
    }
}
