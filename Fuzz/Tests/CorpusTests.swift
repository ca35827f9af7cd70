import Foundation
import Testing

/// One kept input.
private struct CorpusFile: CustomTestStringConvertible, Sendable {
    let target: String
    let name: String

    var testDescription: String { "\(target)/\(name)" }

    /// What the name says of the verdict; nil for an input that is kept for what it reaches.
    var verdict: FuzzTarget.Verdict? {
        name.split(separator: "-").first.flatMap { FuzzTarget.Verdict(rawValue: String($0)) }
    }

    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus")

    static func files(of target: String) -> [CorpusFile] {
        let path = folder.appending(path: target).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().map { CorpusFile(target: target, name: $0) }
    }

    func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.folder.appending(path: "\(target)/\(name)")))
    }
}

private let names = FuzzTarget.all.map(\.name)

@Suite struct `The corpus of the fuzz targets` {
    @Test(arguments: names.flatMap(CorpusFile.files))
    fileprivate func `is read by the laws, with the verdict in its name`(
        file: CorpusFile
    ) throws {
        let target = try #require(FuzzTarget.named(file.target))
        let verdict = try target.run(file.bytes())
        #expect(file.verdict == nil || verdict == file.verdict)
    }

    @Test(arguments: names)
    func `has an input that is accepted and one that is refused`(target: String) {
        let verdicts = CorpusFile.files(of: target).compactMap(\.verdict)
        #expect(verdicts.contains(.accepted))
        #expect(verdicts.contains(.refused))
    }

    @Test func `has a folder for every target and no other`() throws {
        let found = try FileManager.default.contentsOfDirectory(atPath: CorpusFile.folder.path)
        #expect(found.sorted() == names.sorted())
    }

    @Test(arguments: names)
    func `is read by the laws when cut short and when a byte is changed`(
        target name: String
    ) throws {
        let target = try #require(FuzzTarget.named(name))
        for file in CorpusFile.files(of: name).prefix(8) {
            var bytes = try file.bytes()
            _ = try target.run([UInt8](bytes.prefix(bytes.count / 2)))
            guard !bytes.isEmpty else { continue }
            bytes[bytes.count / 3] ^= 0xFF
            _ = try target.run(bytes)
        }
    }
}
