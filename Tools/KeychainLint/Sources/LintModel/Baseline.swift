import Foundation

/// Known findings that wait to be fixed, and the names of items in released versions.
package struct Baseline: Codable, Sendable {
    package var version = 1
    package var findings: [Entry]
    /// The service and account of every item whose literals the linter found.
    package var items: [Item]?
    /// The directory of the file, to which the paths are relative; nil if they are not.
    private var directory: String?

    /// Makes a baseline of findings, with paths relative to the directory of the file.
    package init(findings: [Finding], items: [Item], path: String? = nil) {
        directory = path.map(Self.directory)
        self.findings = []
        self.items = items
        self.findings = findings.map(entry)
    }

    private enum CodingKeys: CodingKey { case version, findings, items }

    package struct Entry: Codable, Sendable, Hashable {
        package let rule: String
        package let file: String
        package let fingerprint: String
    }

    /// The name of an item in the last release.
    package struct Item: Codable, Sendable, Hashable {
        package let service: String
        package let account: String

        package init(service: String, account: String) {
            self.service = service
            self.account = account
        }
    }

    package static func load(_ path: String) throws -> Baseline {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ConfigurationError(
                "\(path): there is no such baseline. Write it with --write-baseline, and commit it."
            )
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("\(path): the baseline is not readable.")
        }
        guard var baseline = try? JSONDecoder().decode(Baseline.self, from: data) else {
            throw ConfigurationError("\(path): this is no baseline of keychain-lint.")
        }
        baseline.directory = directory(of: path)
        return baseline
    }

    package func write(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).writePlainly(to: path)
    }

    /// Returns the findings that are not in the baseline; each entry accounts for one.
    package func newFindings(among findings: [Finding]) -> [Finding] {
        var left: [Entry: Int] = [:]
        for entry in self.findings { left[entry, default: 0] += 1 }
        return findings.filter { finding in
            let entry = entry(finding)
            guard let count = left[entry], count > 0 else { return true }
            left[entry] = count - 1
            return false
        }
    }

    private func entry(_ finding: Finding) -> Entry {
        Entry(
            rule: finding.rule,
            file: directory.map { Self.path(finding.place.file, from: $0) } ?? finding.place.file,
            fingerprint: finding.fingerprint
        )
    }

    private static func directory(of path: String) -> String {
        "/" + resolved(path).split(separator: "/").dropLast().joined(separator: "/")
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// Returns a path relative to a directory, so that it does not depend on the working directory.
    private static func path(_ path: String, from directory: String) -> String {
        let whole = resolved(path).split(separator: "/")
        let base = directory.split(separator: "/")
        let common = zip(whole, base).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: base.count - common)
        return (up + whole.dropFirst(common).map(String.init)).joined(separator: "/")
    }
}

extension Data {
    /// Writes a file, or throws an error in plain words.
    ///
    /// - Throws: `ConfigurationError`.
    package func writePlainly(to path: String, options: WritingOptions = []) throws {
        do {
            try write(to: URL(fileURLWithPath: path), options: options)
        } catch {
            let files = FileManager.default
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            var isFolder: ObjCBool = false
            let reason =
                files.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
                ? "it is a directory"
                : !folder.isEmpty && !files.fileExists(atPath: folder)
                    ? "its directory does not exist" : "the system refuses it"
            throw ConfigurationError("\(path): this file cannot be written: \(reason).")
        }
    }
}

extension Finding {
    /// Returns a hash of a rule and its line, which stays the same when the line moves.
    package static func fingerprint(rule: String, line: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for byte in (rule + "\u{0}" + words).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }
}
