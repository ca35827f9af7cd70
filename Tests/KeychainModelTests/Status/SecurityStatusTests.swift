import Foundation
import KeychainModel
import TestSupport
import Testing

@Suite struct `The table of statuses` {
    @Test(.requirement("API-23")) func `has one row and one sentence for every code`() {
        let table = SecurityStatus.table
        #expect(table.count > 380)
        #expect(Set(table.map(\.code)).count == table.count)
        #expect(Set(table.map(\.name)).count == table.count)
        #expect(Set(table.map(\.message)).count == table.count)
        #expect(table.allSatisfy { $0.message.hasSuffix(".") && $0.message.count > 10 })
    }

    @Test func `agrees with the public constants`() throws {
        let declared = try Self.publicConstants()
        let table = SecurityStatus.publicTable.map { ($0.name, $0.code) }
        let expected = Dictionary(table) { first, _ in first }
            .merging(Self.olderNames) { first, _ in first }
        #expect(declared == expected)
    }

    @Test func `knows the names that the engine uses`() {
        #expect(SecurityStatus.name(of: .param) == "errSecParam")
        #expect(SecurityStatus.writePermission.name == "errSecWrPerm")
        #expect(SecurityStatus.noSuchAttribute.name == "errSecNoSuchAttr")
        #expect(SecurityStatus.authNeeded.name == "errSecAuthNeeded")
        #expect(SecurityStatus.itemNotFound.description == "errSecItemNotFound (-25300)")
    }

    @Test(arguments: [Int32.min, -1, 1, .max])
    func `says nothing about an unknown code`(code: Int32) {
        let status = SecurityStatus(rawValue: code)
        #expect(SecurityStatus.name(of: status) == nil)
        #expect(SecurityStatus.message(of: status) == nil)
        #expect(status.description == "OSStatus (\(code))")
    }

    private static let olderNames: [String: Int32] = [
        "errSecDskFull": -34,
        "errSecInvaldCRLAuthority": -67827,
        "errSecInvalidTupleCredendtials": -67852,
    ]

    /// The constants that the front door declares, read from its source.
    private static func publicConstants() throws -> [String: Int32] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let folder = root.appending(path: "Sources/KeychainServices/Status").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        let declaration = /public let (errSec\w+): OSStatus = (-?\d+)/
        return try files.reduce(into: [:]) { found, file in
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: declaration) {
                found[String(match.1)] = Int32(match.2)
            }
        }
    }
}
