import Foundation
import TestSupport
import Testing

@Suite struct `The two Always constants` {
    @Test(
        .requirement("API-16"),
        arguments: ["kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly"]
    )
    func `draw one warning that names the replacement`(constant: String) throws {
        let source = """
            import Security

            func item(token: Data) -> [String: Any] {
                [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrAccessible as String: \(constant),
                    kSecValueData as String: token,
                ]
            }
            """
        let report = try Compiler.check([("Item.swift", source)], version: "6")
        #expect(report.errors.isEmpty, "\(report.errors)")
        try #require(report.warnings.count == 1, "\(report.warnings)")
        #expect(report.warnings[0].contains("'\(constant)' is deprecated"))
        #expect(report.warnings[0].contains("kSecAttrAccessibleAfterFirstUnlock"))
    }

    @Test(.enabled(if: GuideBlocks.folder != nil, GuideBlocks.skipped))
    func `draw one warning in the guide's sample`() throws {
        let block = try GuideBlocks.text("007")
        let source = "import Security\nlet tokenData = Data()\n" + block
        let report = try Compiler.check([("main.swift", source)], version: "5")
        #expect(report.errors.isEmpty, "\(report.errors)")
        try #require(report.warnings.count == 1, "\(report.warnings)")
        #expect(report.warnings[0].contains("AfterFirstUnlock"))
    }
}
