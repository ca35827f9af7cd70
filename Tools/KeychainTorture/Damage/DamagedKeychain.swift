import Foundation
import KeychainModel

/// A small keychain in a directory, whose files are damaged one at a time and restored.
struct DamagedKeychain {
    /// The items, with all values that each ever had.
    static let values: [(item: AttributeDictionary, values: Set<String>)] = [
        (Rig.item("ada", ["svce": .string("mail")]), ["older value of ada", "value of ada"]),
        (Rig.item("bob", ["svce": .string("mail")]), ["value of bob"]),
        (Rig.item("web", class: "inet"), ["value of web"]),
    ]

    /// A file, and its bytes that can be damaged.
    struct Target: Sendable {
        let file: String
        /// Whether a process was killed before, so that the log still contains the latest writes.
        let hasLog: Bool
        let byteCount: Int
    }

    let directory: String
    private let scratch: ScratchDirectory
    private let sources: [Bool: String]

    init(in scratch: ScratchDirectory) throws(KeychainError) {
        self.scratch = scratch
        directory = scratch.directory("keychain")
        let making = scratch.directory("making")
        sources = [true: scratch.directory("crashed"), false: scratch.directory("closed")]
        let rig = try Rig(making)
        try Self.fill(rig)
        try scratch.copy(making, to: scratch.directory("crashed"))
        rig.close()
        try scratch.copy(making, to: scratch.directory("closed"))
    }

    private static func fill(_ rig: Rig) throws(KeychainError) {
        let classes = ["ak", "dk", "ck"]
        for (entry, accessible) in zip(values, classes) {
            var item = entry.item
            item["pdmn"] = .string(accessible)
            try rig.add(item, entry.values.sorted().first ?? "")
        }
        try rig.update(values[0].item, "value of ada")
    }

    /// Returns the files whose bytes matter; SQLite rebuilds the log's index.
    func targets() throws(KeychainError) -> [Target] {
        var targets: [Target] = []
        for (file, hasLog) in [
            ("keychain.db", false), ("keybag", false), ("secure-element", false),
            ("keychain.db-wal", true),
        ] {
            let bytes = try ScratchDirectory.read((sources[hasLog] ?? "") + "/" + file)
            targets.append(Target(file: file, hasLog: hasLog, byteCount: bytes.count))
        }
        return targets
    }

    /// Restores the undamaged files.
    func reset(hasLog: Bool) throws(KeychainError) {
        try scratch.copy(sources[hasLog] ?? "", to: directory)
    }

    /// Returns the path of a file.
    func path(of file: String) -> String { directory + "/" + file }

    /// The results of reading a keychain.
    struct Readings {
        /// Values that no item ever had, each with its item.
        var wrong: [String] = []
        var right = 0
        var hidden = 0
        /// Whether the keychain, or a read, failed with an error.
        var isRefused = false
    }

    /// Opens the keychain in its present state, and reads every item; an error is a valid result.
    func read() -> Readings {
        var readings = Readings()
        let rig: Rig
        do throws(KeychainError) { rig = try Rig(directory, isUnlocked: false) } catch {
            readings.isRefused = true
            return readings
        }
        defer { rig.close() }
        for (item, values) in Self.values {
            do throws(KeychainError) {
                let value = try rig.read(item)
                if let value, values.contains(value) {
                    readings.right += 1
                } else {
                    readings.wrong.append("\(item["acct"].map { "\($0)" } ?? ""): \(value ?? "")")
                }
            } catch {
                if error.status == .itemNotFound {
                    readings.hidden += 1
                } else {
                    readings.isRefused = true
                }
            }
        }
        return readings
    }
}
