import Foundation
import KeychainMessages
import KeychainModel
import MessageTestSupport
import Secrets
import Testing

/// What a walk over a value comes to that another process could not have.
private struct PlainValueWalk {
    private(set) var findings: [String] = []

    mutating func look(at value: Any, _ path: String) {
        if value is SharedSecret { return }
        let mirror = Mirror(reflecting: value)
        let type = "\(Swift.type(of: value))"
        if mirror.displayStyle == .class { findings.append("\(path): an object, \(type)") }
        if type.contains("->") { findings.append("\(path): a function, \(type)") }
        for (index, child) in mirror.children.enumerated() {
            look(at: child.value, path + "." + (child.label ?? "\(index)"))
        }
    }

    static func findings(in value: Any) -> [String] {
        var walk = PlainValueWalk()
        walk.look(at: value, "\(type(of: value))")
        return walk.findings
    }
}

@Suite struct `A message` {
    private final class Thing: Sendable {}

    @Test(arguments: MessageSamples.all.map(\.type))
    func `is a plain value, and has no object but a secret`(type: String) throws {
        let samples = try #require(MessageSamples.all.first { $0.type == type })
        #expect(samples.values.flatMap(PlainValueWalk.findings) == [])
    }

    @Test func `would be told from one with an object or a function`() {
        let object: [String: Any] = ["a": [Thing()]]
        let function: (Int) -> Void = { _ in }
        #expect(PlainValueWalk.findings(in: object).count == 1)
        let functions: [String: Any] = ["a": function]
        #expect(PlainValueWalk.findings(in: functions).count == 1)
    }

    /// The names of an enum's cases, as its source has them.
    private static func cases(of type: String, in source: String) -> Set<String> {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        guard
            let start = lines.firstIndex(where: { $0.hasPrefix("package enum \(type):") })
                ?? lines.firstIndex(where: { $0.hasPrefix("package indirect enum \(type):") })
        else { return [] }
        let body = lines[(start + 1)...].prefix { $0 != "}" }
        let names = body.filter { $0.hasPrefix("    case ") }.map { line in
            String(line.dropFirst("    case ".count).prefix { $0.isLetter })
        }
        return Set(names)
    }

    private static let sources = Result {
        // Sources/ lies beside Tests/, which has this file's directory.
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folders = ["KeychainMessages", "KeychainModel/Items", "KeychainModel/Prompts"]
        return try folders.flatMap { folder in
            let path = root.path + "/Sources/" + folder
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .map { try String(contentsOfFile: path + "/" + $0, encoding: .utf8) }
        }
        .joined(separator: "\n")
    }

    @Test(arguments: MessageSamples.all.map(\.type))
    func `has a sample of each case`(type: String) throws {
        let samples = try #require(MessageSamples.all.first { $0.type == type })
        let names = samples.values.map { sample in
            Mirror(reflecting: sample).children.first?.label ?? "\(sample)"
        }
        let cases = try Self.cases(of: type, in: Self.sources.get())
        #expect(!cases.isEmpty)
        #expect(Set(names) == cases)
    }
}

@Suite struct `A context in a message` {
    private let session = SessionID()

    private func reference(_ reason: String?, isInvalidated: Bool = false) -> ContextReference {
        ContextReference(session: session, reason: reason, isInvalidated: isInvalidated)
    }

    @Test func `is compared by what it says`() {
        #expect(reference("a") == reference("a"))
        #expect(reference("a") != reference("b"))
        #expect(reference("a") != reference("a", isInvalidated: true))
        #expect(reference(nil) != ContextReference(session: SessionID()))
    }

    @Test func `takes no more room in a query than a pointer`() {
        #expect(MemoryLayout<ContextReference?>.size == MemoryLayout<UnsafeRawPointer>.size)
    }
}
