import Cryptography
import Foundation
import Testing

@testable import BrowserDoor

@Suite struct `The extension of browsers` {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Extensions/browser").standardized

    private static func manifest() throws -> [String: Any] {
        let data = try Data(contentsOf: directory.appending(path: "manifest.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `has no right to any page before a click`() throws {
        let manifest = try Self.manifest()
        let permissions = try #require(manifest["permissions"] as? [String])
        #expect(Set(permissions) == ["activeTab", "nativeMessaging", "scripting"])
        let rights = [
            "host_permissions", "content_scripts", "optional_permissions",
            "optional_host_permissions", "externally_connectable", "web_accessible_resources",
        ]
        #expect(Set(manifest.keys).isDisjoint(with: rights))
    }

    @Test func `has the names that may start the program`() throws {
        let manifest = try Self.manifest()
        let settings = manifest["browser_specific_settings"] as? [String: [String: Any]]
        #expect(settings?["gecko"]?["id"] as? String == Browser.firefoxExtension)
        let key = try #require((manifest["key"] as? String).flatMap { Data(base64Encoded: $0) })
        // Chromium writes the first half of the key's SHA-256 with a to p for the digits.
        let digits = try Digest.sha256(Array(key)).prefix(16).flatMap { [$0 >> 4, $0 & 15] }
        let name = String(decoding: digits.map { UInt8(ascii: "a") + $0 }, as: UTF8.self)
        #expect(name == Browser.chromiumExtension)
    }

    @Test func `asks for the host by its name`() throws {
        let script = try String(
            contentsOf: Self.directory.appending(path: "background.js"),
            encoding: .utf8
        )
        #expect(script.contains("const hostName = \"\(Browser.hostName)\";"))
        #expect(script.contains("const version = \(BrowserRequest.version);"))
    }

    @Test func `reads no property of a node, which the page may have named`() throws {
        let script = try String(
            contentsOf: Self.directory.appending(path: "page.js"),
            encoding: .utf8
        )
        let code = script.split(separator: "\n").filter { line in
            let words = line.drop { $0 == " " }
            return !words.hasPrefix("//") && !words.hasPrefix("/**")
        }
        let node = try Regex(
            #"\b(document|field|node|element|form|button|password|account|active)\??[.\[]"#
        )
        #expect(code.filter { $0.contains(node) }.isEmpty)
        #expect(!code.isEmpty)
    }
}
