import Foundation
import Testing

/// The steps of `Scripts/sync.sh` without its figures: real programs, a server of their own.
@Suite struct `Four keychains of two accounts` {
    private static let hasServer: Bool = {
        let folder = "/usr/lib/postgresql"
        let versions = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (versions ?? []).contains {
            FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)/bin/initdb")
        }
    }()

    @Test(.enabled(if: hasServer, "PostgreSQL is not installed"))
    func `share items through a database, whoever is killed`() throws {
        let workshop = try Workshop()
        let root = URL(filePath: #filePath).pathComponents.dropLast(3).dropFirst()
        let script = "/" + root.joined(separator: "/") + "/Scripts/sync.sh"
        let ran = try workshop.run(
            ["env", "KEYCHAIN_BIN=\(workshop.products)", script, "--count", "0"],
            input: ""
        )
        #expect(ran.status == 0, "\(ran.output)")
        #expect(!ran.output.contains("FAILED"))
        let held = ran.output.split(separator: "\n").filter { $0.hasSuffix(" ok") }
        #expect(held.count == 16, "\(ran.output)")
    }
}
