import Cryptography
import Foundation
import KeychainModel
import Secrets
import Testing

@testable import KeychainCommand

@Suite struct `The labels of an import` {
    /// One name finds the identity, as PKCS #11 and others look for it.
    @Test(arguments: [
        ("leaf.p12", "sesame", ["Alice's key", "Example Root", "Alice's key"]),
        ("empty.p12", "", ["Alice Example", "Alice Example"]),
    ])
    func `are the same for a certificate and its key`(
        file: String,
        password: String,
        labels: [String]
    ) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/\(file)")
        var contents = ImportedContents()
        contents.add(
            try PKCS12Archive(
                parsing: [UInt8](try Data(contentsOf: path)),
                password: Secret(copying: Array(password.utf8))
            )
        )
        let plan = try ImportPlan(contents, attributes: [:], isExtractable: false)
        #expect(plan.items.map { $0[.label] } == labels.map { .string($0) })
        let named = try ImportPlan(
            contents,
            attributes: [Attribute.label.rawValue: .string("mine")],
            isExtractable: false
        )
        #expect(named.items.allSatisfy { $0[.label] == .string("mine") })
    }
}
