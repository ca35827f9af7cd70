import Foundation
import KeychainMigration
import Testing

/// A file that another program writes while its replacement is being made.
@Suite struct `A file that somebody changed meanwhile` {
    @Test(arguments: [Data("A=1\nB=new\n".utf8), nil] as [Data?])
    func `is not replaced, and no draft stays`(changed: Data?) throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: ".env")
        let known = Data("A=1\n".utf8)
        try changed?.write(to: url)
        let failure = SourceFailure(.changed, ".env")
        #expect(throws: failure) {
            try PlainFile(url).replace(with: Data(), ifStill: known)
        }
        #expect(try PlainFile(url).read() == changed)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == (changed == nil ? [] : [".env"]))
        try known.write(to: url)
        try PlainFile(url).replace(with: Data(), ifStill: known)
        #expect(try PlainFile(url).read() == Data())
    }
}
