import Foundation

/// Findings that are known and wait, and the names of items that shipped.
package struct Baseline: Codable, Sendable {
    package var version = 1
    package var findings: [Entry]
    /// The service and account of every item whose literals the linter saw.
    package var items: [Item]?

    package init(findings: [Entry], items: [Item]) {
        self.findings = findings
        self.items = items
    }

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
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try JSONDecoder().decode(Baseline.self, from: data)
        } catch {
            throw ConfigurationError("\(path): this is no baseline of keychain-lint.")
        }
    }

    package func write(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }

    /// Leaves out what the baseline has; each entry accounts for one finding.
    package func newFindings(among findings: [Finding]) -> [Finding] {
        var left: [Entry: Int] = [:]
        for entry in self.findings { left[entry, default: 0] += 1 }
        return findings.filter { finding in
            guard let count = left[finding.entry], count > 0 else { return true }
            left[finding.entry] = count - 1
            return false
        }
    }
}

extension Finding {
    package var entry: Baseline.Entry {
        Baseline.Entry(rule: rule, file: place.file, fingerprint: fingerprint)
    }

    /// What stays the same when lines above the finding move: a hash of the rule and its line.
    package static func fingerprint(rule: String, line: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for byte in (rule + "\u{0}" + words).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }
}
