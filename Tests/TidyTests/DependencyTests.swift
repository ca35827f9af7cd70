import Foundation
import TestSupport
import Testing

// What Scripts/dependencies.py finds.
@Suite struct `The targets and directories of the sources` {
    @Test func `use each other in no circle`() throws {
        let (status, output) = try dependencies("--circles")
        #expect(status == 0, "\(output)")
    }

    @Test(
        arguments: [
            ("struct Row {}", "let row: Row? = nil", 0),
            ("struct Row { let seal: Seal }", "struct Seal {\n    func open(_ row: Row) {}\n}", 1),
            ("struct Row {} // Seal", "struct Seal { let row: Row }", 0),
        ] as [(String, String, Int32)]
    )
    func `form a circle if each uses the other's types`(
        store: String,
        cipher: String,
        status: Int32
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dependencies-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in ["Store/Row.swift": store, "Cipher/Seal.swift": cipher] {
            let file = folder.appending(path: "Sources/KeychainEngine/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        #expect(try dependencies("--circles", folder.path).status == status)
    }

    private func dependencies(_ arguments: String...) throws -> (status: Int32, output: String) {
        let script = Checkout.root.appending(path: "Scripts/dependencies.py").path
        let result = try runProgram(["python3", script] + arguments)
        return (result.status, result.output)
    }
}
