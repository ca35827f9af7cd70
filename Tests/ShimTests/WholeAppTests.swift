import Foundation
import TestSupport
import Testing

@Suite struct `A whole app that migrates` {
    @Test(.requirement("API-19"), arguments: ["5", "6"])
    func `compiles as one module without an error`(version: String) throws {
        let folder = Compiler.checkout.appending(path: "Examples/MigratingApp")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        #expect(files.count == 5)
        let paths = files.map { folder.appending(path: $0).path }
        let report = try Compiler.check(files: paths, version: version)
        #expect(report.errors.isEmpty, "\(report.errors)")
        #expect(report.warnings.isEmpty, "\(report.warnings)")
    }

    @Test(
        .enabled(if: GuideBlocks.folder != nil, GuideBlocks.skipped),
        arguments: ["5", "6"]
    )
    func `compiles as the migration guide shows it`(version: String) throws {
        let numbers = ["018", "020", "022", "025", "029", "030", "031"]
        let blocks = try numbers.map { number -> (name: String, text: String) in
            let text = GuideBlocks.imports + (try GuideBlocks.text(number))
            return (name: "Block\(number).swift", text: text)
        }
        let rest = (name: "Rest.swift", text: GuideBlocks.rest)
        let report = try Compiler.check(blocks + [rest], version: version)
        #expect(report.errors.isEmpty, "\(report.errors)")
    }
}
