import Foundation
import KeychainMigration

/// Passwords of the freedesktop Secret Service, by way of `secret-tool` of libsecret.
///
/// - Source: secret-tool(1).
struct SecretServiceSource: LegacySource {
    let name = "secret-service"
    let trust = SourceTrust.trusted
    private let tool: String

    /// A source that runs a program of that name or path.
    init(tool: String) { self.tool = tool }

    /// The items of a schema; each once.
    func items(of schema: String) throws(SourceFailure) -> [SecretServiceItem] {
        let words = ["search", "--all", "--unlock", "xdg:schema", schema]
        let output = try run(words, withDiagnostics: true)
        // secret-tool ends with 1 where nothing is found.
        guard output.status == 0 || output.text.isEmpty else {
            throw SourceFailure(.unreadable, "\(name): secret-tool ended with \(output.status)")
        }
        var known = Set<String>()
        return Self.items(in: output.text).filter { item in
            item.attributes["xdg:schema"] == schema && known.insert(item.key).inserted
        }
    }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        let output = try run(["lookup"] + Self.words(key))
        guard output.status == 0 else { return nil }
        return LegacyValue(SecretBytes(Data(output.text.utf8)))
    }

    func delete(_ key: String) throws(SourceFailure) {
        let output = try run(["clear"] + Self.words(key))
        guard output.status == 0 else { throw SourceFailure(.undeletable, name) }
    }

    private static func words(_ key: String) -> [String] {
        key.split(separator: "\n").flatMap { line -> [String] in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.map(String.init)
        }
    }

    /// Reads `[path]`, `label = …`, `schema = …` and `attribute.NAME = …`; secrets are passed over.
    ///
    /// `secret-tool` writes attributes to standard error, so both streams have to be one.
    static func items(in text: String) -> [SecretServiceItem] {
        var items: [SecretServiceItem] = []
        var label = ""
        var attributes: [String: String] = [:]
        func close() {
            if !attributes.isEmpty {
                items.append(SecretServiceItem(label: label, attributes: attributes))
            }
            label = ""
            attributes = [:]
        }
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { close() }
            guard let (name, value) = pair(line) else { continue }
            if name == "label" { label = value }
            if name == "schema" { attributes["xdg:schema"] = value }
            if name.hasPrefix("attribute.") { attributes[String(name.dropFirst(10))] = value }
        }
        close()
        return items
    }

    private static func pair(_ line: Substring) -> (name: String, value: String)? {
        guard let range = line.range(of: " = ") else { return nil }
        return (String(line[..<range.lowerBound]), String(line[range.upperBound...]))
    }

    private struct Output {
        let status: Int32
        let text: String
    }

    private func run(
        _ words: [String],
        withDiagnostics: Bool = false
    ) throws(SourceFailure) -> Output {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + words
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        process.standardError = withDiagnostics ? output : FileHandle.nullDevice
        do {
            try process.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            // env(1) ends so where there is no such program.
            guard process.terminationStatus != 127 else { throw Self.missing }
            return Output(
                status: process.terminationStatus,
                text: String(decoding: bytes, as: UTF8.self)
            )
        } catch let failure as SourceFailure {
            throw failure
        } catch {
            throw Self.missing
        }
    }

    private static let missing = SourceFailure(
        .unreadable,
        "secret-service: secret-tool is not installed (Debian has it in libsecret-tools)"
    )
}
