import Foundation
import Testing

// What Scripts/rooms.py finds.
@Suite struct `The rooms of the sources` {
    @Test func `name each other in no circle`() throws {
        let (status, output) = try rooms("--circles")
        #expect(status == 0, "\(output)")
    }

    @Test(
        arguments: [
            ("struct Row {}", "let row: Row? = nil", 0),
            ("struct Row { let seal: Seal }", "struct Seal {\n    func open(_ row: Row) {}\n}", 1),
            ("struct Row {} // Seal", "struct Seal { let row: Row }", 0),
        ] as [(String, String, Int32)]
    )
    func `are in a circle if each names the other's types`(
        store: String,
        cipher: String,
        status: Int32
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "rooms-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in ["Store/Row.swift": store, "Cipher/Seal.swift": cipher] {
            let file = folder.appending(path: "Sources/KeychainEngine/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        #expect(try rooms("--circles", folder.path).status == status)
    }

    private func rooms(_ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = Checkout.root.appending(path: "Scripts/rooms.py").path
        process.arguments = ["python3", script] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
