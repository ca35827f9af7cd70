import CallerEvidence
import KeychainModel

/// The grants of a keychain's owner to programs, and their bytes before they are sealed.
///
/// - Source: Documentation/Spec/grants.md §2.
struct GrantList: Sendable, Equatable {
    /// The most grants of an account.
    static let limit = 256
    static let groupByteCountLimit = 1024
    static let programByteCountLimit = 4096
    /// The most bytes of all grants together.
    static let byteCountLimit = 60_000

    private static let digestByteCount = 32

    private(set) var grants: [AccessGrant] = []

    init() {}

    /// Adds a grant, and replaces one of the same group and program.
    ///
    /// - Throws: `errSecParam` for an invalid grant, `errSecNotAvailable` beyond the limits.
    mutating func add(_ grant: AccessGrant) throws(KeychainError) {
        if let problem = grant.problem { throw KeychainError(.param, problem) }
        var next = self
        next.grants.removeAll { $0.isFor(grant) }
        next.grants.append(grant)
        guard next.grants.count <= Self.limit, next.bytes.count <= Self.byteCountLimit else {
            let reason = "there are too many grants; run keychainctl access revoke first"
            throw KeychainError(.notAvailable, reason)
        }
        self = next
    }

    /// Removes the grant of this group to this program, with any digest.
    ///
    /// - Throws: `errSecItemNotFound` if there is no such grant.
    mutating func remove(_ grant: AccessGrant) throws(KeychainError) {
        let before = grants.count
        grants.removeAll { $0.isFor(grant) }
        guard grants.count < before else {
            throw KeychainError(.itemNotFound, "this group is not shared with this program")
        }
    }
}

extension AccessGrant {
    /// Whether another grant shares the same group with the same program.
    fileprivate func isFor(_ other: AccessGrant) -> Bool {
        group.utf8.elementsEqual(other.group.utf8) && program.key == other.program.key
            && program.value.utf8.elementsEqual(other.program.value.utf8)
    }

    /// The reason why the grant is invalid, as a sentence; nil if it is valid.
    var problem: String? {
        guard !group.isEmpty, group.utf8.count <= GrantList.groupByteCountLimit,
            !group.unicodeScalars.contains(where: VisibleText.isHidden)
        else { return "the group is empty, too long, or has invisible characters" }
        // A trailing star would mean every group with this prefix.
        guard !group.hasSuffix("*") else {
            return "the group ends with a star; grant each group by its whole name"
        }
        let value = program.value
        guard !value.isEmpty, value.utf8.count <= GrantList.programByteCountLimit,
            !value.unicodeScalars.contains(where: VisibleText.isHidden)
        else { return "the program is empty, too long, or has invisible characters" }
        if case .program(let path) = program {
            guard path.isPlainPath else {
                return "the program is not an absolute path without '.', '..' and double slashes"
            }
            guard !Interpreters.contain(path: path) else {
                return "\(path) runs the programs of others, so it never gets a grant of its own"
            }
        } else if digest != nil {
            return "only the path of a program can be bound to a digest"
        }
        guard digest.map({ $0.count == 32 }) ?? true else { return "the digest is not SHA-256" }
        return nil
    }
}

extension String {
    /// Whether it is an absolute path in its shortest form.
    fileprivate var isPlainPath: Bool {
        guard utf8.first == UInt8(ascii: "/"), utf8.count > 1 else { return false }
        let parts = utf8.dropFirst().split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        return parts.allSatisfy { part in
            !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        }
    }
}

// Bytes.
extension GrantList {
    /// The kinds of programs, by their number in the file.
    private static let kinds = ["program", "unit", "flatpak", "snap", "label", "account"]

    var bytes: [UInt8] {
        grants.reduce(into: []) { bytes, grant in
            let kind = Self.kinds.firstIndex(of: grant.program.key) ?? 0
            bytes.append(UInt8(truncatingIfNeeded: kind + 1))
            for text in [grant.program.value, grant.group] {
                let count = text.utf8.count
                bytes.append(UInt8(truncatingIfNeeded: count >> 8))
                bytes.append(UInt8(truncatingIfNeeded: count))
                bytes += text.utf8
            }
            bytes.append(grant.digest == nil ? 0 : 1)
            bytes += grant.digest ?? []
        }
    }

    /// Parses the bytes; returns nil unless they contain valid grants, each once.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteCountLimit else { return nil }
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let grant = Self.takeGrant(&rest), !grants.contains(where: grant.isFor),
                (try? add(grant)) != nil
            else { return nil }
        }
    }

    private static func takeGrant(_ rest: inout ArraySlice<UInt8>) -> AccessGrant? {
        guard let kind = rest.popFirst(), kind >= 1, kind <= kinds.count,
            let value = takeText(&rest), let group = takeText(&rest),
            let program = ProgramSelector(key: kinds[Int(kind) - 1], value: value),
            let hasDigest = rest.popFirst(), hasDigest <= 1
        else { return nil }
        guard hasDigest == 1 else { return AccessGrant(group: group, program: program) }
        guard rest.count >= digestByteCount else { return nil }
        defer { rest = rest.dropFirst(digestByteCount) }
        let digest = Array(rest.prefix(digestByteCount))
        return AccessGrant(group: group, program: program, digest: digest)
    }

    private static func takeText(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
        let count = Int(high) << 8 | Int(low)
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return String(validating: rest.prefix(count), as: UTF8.self)
    }
}
