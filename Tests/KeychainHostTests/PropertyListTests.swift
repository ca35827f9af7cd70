import Foundation
import KeychainHost
import KeychainModel
import TestSupport
import Testing

private let groups = "keychain-access-groups"

/// What Foundation's decoder finds, which read these files before.
private struct Oracle: Decodable {
    let groups: [String]?

    enum CodingKeys: String, CodingKey { case groups = "keychain-access-groups" }
}

/// The access groups of a file; nil if it is refused.
private func accessGroups(_ bytes: some Collection<UInt8>) -> [String]? {
    let entitlements = try? EntitlementsFile.parse(bytes, path: "a")
    return entitlements?.keychainAccessGroups
}

private func binary(_ list: Any) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
}

@Suite struct `A property list without Foundation` {
    private static let key = "<key>\(groups)</key>"
    private static let list = "<dict>\(key)<array><string>T.a</string></array></dict>"

    private static func groupList(_ texts: String) -> String {
        "<dict>\(key)<array>\(texts)</array></dict>"
    }

    @Test(arguments: [
        list, "\u{FEFF}<plist>\(list)</plist>", "<?xml version=\"1.0\"?><!-- a > b -->\n\(list)\n",
        "<!DOCTYPE plist PUBLIC \"-//A\" \"a.dtd\"><plist version=\"1.0\"> \(list) </plist>",
        "<dict>\(key)<array/></dict>", "<plist><dict/></plist>", "<dict></dict >",
        groupList(" <string/><string a=\"b\">é &lt;&#65;&#x42;&apos;</string >"),
        groupList("<string>a<![CDATA[<&b>]]>c</string>"),
        "<dict><key>m</key><true/><key>n</key><integer>1</integer>\(key)<array/></dict>",
        "<dict>\(key)<array/>\(key)<array><string>last</string></array></dict>",
        "<dict><key>d</key><data>AA==</data><key>e</key><dict>\(key)<array/></dict></dict>",
    ])
    func `is read as Foundation reads it`(text: String) throws {
        let expected = try PropertyListDecoder().decode(Oracle.self, from: Data(text.utf8))
        #expect(accessGroups(text.utf8) == expected.groups ?? [])
    }

    @Test(arguments: [
        "", "<", "<plist>", "<plist/>", "<plist></plist>", list + list, list + "x",
        "<dict>\(key)</dict>", "<dict>\(key)<string>a</string></dict>", groupList("<string>a"),
        groupList("<integer>1</integer>"), "<array/>", "<string>a</string>", "<dictionary/>",
        "<dict><string>a</string><true/></dict>", groupList("<string>&a;</string>"), "<dict",
        groupList("<string>a<!-- b --></string>"), groupList("<string>&#xD800;</string>"),
        "<dict a=\"</dict>", "<dict/ ></dict>", "<dict><key/><true/></dict>",
        "<!DOCTYPE plist [<!ENTITY a \"b\">]>" + list,
    ])
    func `is refused where its form is wrong`(text: String) {
        #expect(accessGroups(text.utf8) == nil)
        #expect(accessGroups(Array(text.utf8) + [0xFF]) == nil)
    }

    private static let binaryLists: [[String: [String]]] = [
        [groups: ["T.a", "é", "T.🗝️", ""]], [:], [groups: []],
        [groups: (0..<300).map { "T.\($0)" }, "other": ["x"]],
    ]

    @Test(arguments: binaryLists)
    func `is read in its binary form, too`(list: [String: [String]]) throws {
        #expect(try accessGroups(binary(list)) == list[groups] ?? [])
    }

    @Test func `passes over what entitlements do not ask for`() throws {
        let values: [Any] = [1, 2.5, true, Date(timeIntervalSince1970: 0), Data([1, 2])]
        let bytes = try binary([groups: ["T.a"], "values": values, "more": ["a": ["b": "c"]]])
        #expect(accessGroups(bytes) == ["T.a"])
        #expect(try accessGroups(binary([groups: values])) == nil)
    }

    @Test func `ends no process, whatever byte is wrong`() throws {
        let bytes = try binary([groups: ["T.a", "é"], "other": ["x": [true, 1]]])
        #expect(bytes.indices.allSatisfy { accessGroups(bytes[..<$0]) == nil })
        let markers: [UInt8] = [0x00, 0x0F, 0x5F, 0xA1, 0xD1, 0xDF, 0xFF]
        let verdicts = bytes.indices.flatMap { index in
            markers.map { accessGroups(bytes[..<index] + [$0] + bytes[(index + 1)...]) != nil }
        }
        #expect(Set(verdicts) == [true, false])
    }

    @Test func `costs little, however often it names itself`() {
        // Each of 60 lists has the next one twice: 2 to the 60 values, if nothing stopped.
        let start = Array("bplist00".utf8)
        let lists = (1...60 as ClosedRange<UInt8>).flatMap { [0xA2, $0, $0] as [UInt8] }
        let offsets = (0...60 as ClosedRange<UInt8>).map { UInt8(start.count) + 3 * $0 }
        let text: [UInt8] = [0x51, 0x61]
        let sizes: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1]
        let count = [UInt8](repeating: 0, count: 7) + [61]
        let top = [UInt8](repeating: 0, count: 15)
        let table = UInt8(start.count + lists.count + text.count)
        let body = start + lists + text
        #expect(accessGroups(body + offsets + sizes + count + top + [table]) == nil)
    }
}
