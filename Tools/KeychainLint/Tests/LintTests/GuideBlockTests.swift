import Foundation
import Testing

/// ★ What the linter has to find in the 51 blocks of the guides, notes left out.
///
/// The blocks are the work of others and no part of this repository. `KEYCHAIN_GUIDE_BLOCKS` names
/// the directory that holds them as 001.swift to 051.swift. `Fixtures/Blocks` has a block of our
/// own for each: the same situation in the same structure, with the same mistakes.
struct GuideBlock: Sendable, CustomStringConvertible {
    let number: String
    let rules: [String]

    var description: String { number }

    static let own = Lint.root.appending(path: "Fixtures/Blocks").path
    static let folder = ProcessInfo.processInfo.environment["KEYCHAIN_GUIDE_BLOCKS"]

    static let all: [GuideBlock] = [
        .init(number: "001", rules: []),
        .init(number: "002", rules: []),
        .init(number: "003", rules: ["KC204"]),
        .init(number: "004", rules: []),
        .init(number: "005", rules: ["KC201"]),
        .init(number: "006", rules: []),
        .init(number: "007", rules: ["KC101", "KC202"]),
        .init(number: "008", rules: ["KC301"]),
        .init(number: "009", rules: []),
        .init(number: "010", rules: []),
        .init(number: "011", rules: []),
        .init(number: "012", rules: ["KC505"]),
        .init(number: "013", rules: []),
        .init(number: "014", rules: []),
        .init(number: "015", rules: []),
        .init(number: "016", rules: []),
        .init(number: "017", rules: []),
        .init(number: "018", rules: ["KC610"]),
        .init(number: "019", rules: ["KC505", "KC603"]),
        .init(number: "020", rules: []),
        .init(number: "021", rules: ["KC201", "KC601"]),
        .init(number: "022", rules: ["KC505", "KC505"]),
        .init(number: "023", rules: ["KC201", "KC501", "KC502", "KC606", "KC607", "KC612"]),
        .init(number: "024", rules: ["KC410", "KC501"]),
        .init(number: "025", rules: ["KC505"]),
        .init(number: "026", rules: ["KC503"]),
        .init(number: "027", rules: ["KC102"]),
        .init(number: "028", rules: []),
        .init(number: "029", rules: ["KC505", "KC611"]),
        .init(number: "030", rules: []),
        .init(number: "031", rules: []),
        .init(number: "032", rules: []),
        .init(number: "033", rules: []),
        .init(number: "034", rules: ["KC201", "KC903"]),
        .init(number: "035", rules: ["KC201", "KC401", "KC903"]),
        .init(number: "036", rules: []),
        .init(number: "037", rules: []),
        .init(number: "038", rules: []),
        .init(number: "039", rules: ["KC402"]),
        .init(number: "040", rules: ["KC903"]),
        .init(number: "041", rules: []),
        .init(number: "042", rules: ["KC505"]),
        .init(number: "043", rules: ["KC201", "KC505", "KC508", "KC613"]),
        .init(number: "044", rules: ["KC103", "KC201"]),
        .init(number: "045", rules: ["KC201"]),
        .init(number: "046", rules: ["KC503"]),
        .init(number: "047", rules: []),
        .init(number: "048", rules: []),
        .init(number: "049", rules: []),
        .init(number: "050", rules: ["KC201"]),
        .init(number: "051", rules: ["KC201"]),
    ]
}

@Suite struct `The blocks of the guides` {
    @Test(.requirement("LNT-02"), arguments: GuideBlock.all)
    func `written by us break the rules that the table names, and no other`(
        block: GuideBlock
    ) throws {
        #expect(try findings(in: block, of: GuideBlock.own) == block.rules)
    }

    @Test(
        .enabled(
            if: GuideBlock.folder != nil,
            "SKIPPED: set KEYCHAIN_GUIDE_BLOCKS to the directory of the 51 blocks"
        ),
        arguments: GuideBlock.all
    )
    func `break the rules that the table names, and no other`(block: GuideBlock) throws {
        let folder = try #require(GuideBlock.folder)
        #expect(try findings(in: block, of: folder) == block.rules)
    }

    @Test func `written by us are those of the table`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: GuideBlock.own)
        #expect(names.sorted() == GuideBlock.all.map { "\($0.number).swift" })
    }

    /// Returns the findings of the rules about the keychain, without those about cryptography.
    private func findings(in block: GuideBlock, of folder: String) throws -> [String] {
        let name = "\(block.number).swift"
        let file = URL(filePath: folder).appending(path: name)
        let text = try String(contentsOf: file, encoding: .utf8)
        return Lint.rules(text, path: name).filter { $0.hasPrefix("KC") }
    }
}
