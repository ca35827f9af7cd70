/// The user and group identifiers of a process in `/proc/PID/status`.
///
/// - Source: proc(5).
struct ProcessStatus: Sendable, Hashable {
    /// Real, effective, saved and file system user.
    let userIDs: [UInt32]
    /// Real, effective, saved and file system group.
    let groupIDs: [UInt32]
    let supplementaryGroups: [UInt32]
    let tracer: Int32

    /// Parses the file; nil if a line is missing or malformed.
    init?(_ bytes: [UInt8]) {
        guard let users = Self.numbers("Uid", in: bytes), users.count == 4,
            let groups = Self.numbers("Gid", in: bytes), groups.count == 4,
            let supplementary = Self.numbers("Groups", in: bytes),
            let tracer = Self.field("TracerPid", in: bytes).flatMap({ Int32($0) })
        else { return nil }
        userIDs = users
        groupIDs = groups
        supplementaryGroups = supplementary
        self.tracer = tracer
    }

    /// Every group that gives the process rights.
    var groups: Set<UInt32> { Set(groupIDs).union(supplementaryGroups) }

    /// Returns the value of a line `Name:\tvalue`; nil if there is none.
    ///
    /// No value contains a line break: the kernel escapes the program's name, which comes first.
    static func field(_ name: String, in bytes: [UInt8]) -> String? {
        let start = Array("\(name):".utf8)
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: start) }
        guard let line else { return nil }
        let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        let value = line.dropFirst(start.count).drop { blanks.contains($0) }
        return String(validating: value, as: UTF8.self)
    }

    private static func numbers(_ name: String, in bytes: [UInt8]) -> [UInt32]? {
        guard let field = field(name, in: bytes) else { return nil }
        let words = field.split { $0 == " " || $0 == "\t" }
        let numbers = words.compactMap { UInt32($0) }
        return numbers.count == words.count ? numbers : nil
    }
}
