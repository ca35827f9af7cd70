import Foundation
import TestSupport
import Testing

@Suite struct `A page with commands` {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: ["Backup", "FromSecurity"])
    func `runs as it is written`(page: String) throws {
        let program = try BuiltPrograms.path("keychainctl")
        let result = try runProgram(
            [
                "python3", "Scripts/recipes.py", "--page", page,
                "--bin", URL(filePath: program).deletingLastPathComponent().path,
            ],
            directory: Self.root.path
        )
        #expect(result.status == 0, "\(result.output)")
    }
}
