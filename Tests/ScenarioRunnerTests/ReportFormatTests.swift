import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import ScenarioRunner

/// A scenario with a title and a note that try to escape, and one expectation that does not hold.
private let hostile = ##"""
    {
        "title": "<b>&\"#1\"</b>", "items": [{"name": "x"}],
        "events": [
            {"do": "add", "item": "x", "note": "a # b \\ c\n<script>\u0007"},
            {"do": "lock"},
            {"do": "read", "item": "x", "note": "it's locked"}
        ]
    }
    """##

private func hostileReport() throws -> ScenarioReport {
    try Scenario(hostile).run([.device, .iOSSimulator], file: "a.json")
}

@Suite struct `A report as TAP` {
    @Test(.requirement("SIM-20")) func `has a test point for every event`() throws {
        let report = try ShippedScenarios.report("2-lock-timing")
        let lines = TAPReport([report]).text.split(separator: "\n")
        #expect(lines[0] == "TAP version 14")
        #expect(lines[1] == "1..18")
        #expect(lines.count == 20)
        #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("ok ") })
        #expect(
            lines[2] == "ok 1 - 2. Lock: a WhenUnlocked token is out of reach at once, or after "
                + "the grace period (device): 1. store a WhenUnlocked token"
        )
    }

    @Test func `escapes what would steer it, and says why a point is not ok`() throws {
        let lines = TAPReport([try hostileReport()]).text.split(separator: "\n").map(String.init)
        #expect(lines[2] == ##"ok 1 - <b>&"\#1"</b> (device): 1. a \# b \\ c <script> "##)
        #expect(lines[4] == ##"not ok 3 - <b>&"\#1"</b> (device): 3. it's locked"##)
        #expect(lines[5] == "  ---")
        #expect(lines[6] == "  expected: 'errSecSuccess (0)'")
        #expect(lines[7] == "  observed: 'errSecInteractionNotAllowed (-25308)'")
        #expect(
            lines[8].hasPrefix(
                "  explanation: 'the keychain is locked, and this item is WhenUnlocked"
            )
        )
        #expect(lines[9] == "  ...")
        #expect(lines[10].hasPrefix("ok 4 - "))
    }
}

/// Counts the elements of an XML document.
private final class ElementCounter: NSObject, XMLParserDelegate {
    private(set) var counts: [String: Int] = [:]
    private(set) var attributes: [String: [[String: String]]] = [:]

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        counts[name, default: 0] += 1
        self.attributes[name, default: []].append(attributes)
    }

    static func count(_ text: String) -> ElementCounter? {
        let counter = ElementCounter()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = counter
        return parser.parse() ? counter : nil
    }
}

@Suite struct `A report as JUnit's XML` {
    @Test(.requirement("SIM-20")) func `has a case for every event`() throws {
        let report = try ShippedScenarios.report("4-enrollment-change")
        let document = try #require(ElementCounter.count(JUnitReport([report]).text))
        #expect(document.counts == ["testsuites": 1, "testsuite": 2, "testcase": 24])
        #expect(document.attributes["testsuites"]?[0]["failures"] == "0")
    }

    @Test func `is well-formed whatever a file says`() throws {
        let report = try hostileReport()
        let document = try #require(ElementCounter.count(JUnitReport([report]).text))
        #expect(document.counts["failure"] == 1)
        #expect(document.attributes["testsuite"]?[0]["name"] == "<b>&\"#1\"</b> (device)")
        #expect(document.attributes["testcase"]?[0]["name"] == "1. a # b \\ c\n<script>\u{FFFD}")
        #expect(
            document.attributes["failure"]?[0]["message"]
                == "expected errSecSuccess (0), observed errSecInteractionNotAllowed (-25308)"
        )
    }
}

@Suite struct `A report as JSON` {
    @Test func `is read as it was written`() throws {
        let report = try ShippedScenarios.report("5-backup-to-another-device")
        let bytes = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(ScenarioReport.self, from: bytes) == report)
    }

    @Test func `leaves out what there is not`() throws {
        let report = try Scenario.of(#"{"do": "lock", "expect": "anything"}"#).run(file: "a.json")
        let text = String(decoding: try JSONEncoder().encode(report.runs[0].steps), as: UTF8.self)
        #expect(!text.contains("null"))
        #expect(!text.contains("expected"))
        #expect(!text.contains("explanation"))
    }
}

@Suite struct `A report as a page` {
    @Test func `is well-formed, loads nothing and runs nothing`() throws {
        let page = HTMLReport([try hostileReport()]).text
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        let document = try #require(ElementCounter.count(String(page.dropFirst(16))))
        let active = ["script", "link", "img", "iframe", "b"].filter { document.counts[$0] != nil }
        #expect(active == [])
        #expect(!page.contains("http://") && !page.contains("https://"))
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
        #expect(page.contains("prefers-color-scheme:dark"))
        #expect(page.contains("1 of 6 expectations do not hold."))
    }

    @Test func `has a time line for every run, and rows for state, keys and items`() throws {
        let report = try ShippedScenarios.report("5-backup-to-another-device")
        let page = HTMLReport([report]).text
        let document = try #require(ElementCounter.count(String(page.dropFirst(16))))
        let drawings = (document.attributes["svg"] ?? []).compactMap { $0["class"] }
        #expect(drawings == Array(repeating: ["labels", "rows"], count: 4).flatMap(\.self))
        let labels = page.components(separatedBy: "class=\"labels\"")[1]
            .components(separatedBy: "</svg>")[0]
        let names = ["time", "event", "status", "phone", "new phone", "state"]
        #expect(names.filter { !labels.contains(">\($0)</text>") } == [])
        #expect(labels.components(separatedBy: ">AfterFirstUnlock</text>").count == 3)
        #expect(labels.components(separatedBy: ">vault</text>").count == 3)
    }

    @Test func `leads from the summary to each event that is not as expected`() throws {
        let page = HTMLReport([try hostileReport()]).text
        let document = try #require(ElementCounter.count(String(page.dropFirst(16))))
        let links = (document.attributes["a"] ?? []).compactMap { $0["href"] }
        let places = (document.attributes["g"] ?? []).compactMap { $0["id"].map { "#" + $0 } }
        #expect(links.first == "#report-1-run-1-3")
        #expect(Set(places).count == places.count)
        #expect(Set(links).isSubset(of: places))
        #expect(page.contains("3. it's locked (device): expected errSecSuccess (0), observed"))
    }

    @Test func `cuts no name, and names accessibilities in words`() throws {
        let name = "a-name-that-is-longer-than-the-column-of-labels and has spaces"
        let items = #""items": [{"name": "\#(name)"}]"#
        let event = #""events": [{"do": "add", "item": "\#(name)"}]"#
        let page = HTMLReport([
            try Scenario(#"{"title": "x", \#(items), \#(event)}"#).run([.device], file: "a.json")
        ]).text
        let labels = page.components(separatedBy: "class=\"labels\"")[1]
            .components(separatedBy: "</svg>")[0]
        let lines = labels.matches(of: />([^<]+)<\/text>/).map { String($0.1) }
        #expect(lines.joined().replacing(" ", with: "").contains(name.replacing(" ", with: "")))
        #expect(lines.allSatisfy { $0.count <= 30 && !$0.contains("…") })
        #expect(lines.contains("WhenPasscodeSetThisDeviceOnly"))
        #expect(page.matches(of: /\b(ak|ck|dk|aku|cku|dku|akpu|TDO)\b/).isEmpty)
    }

    @Test(
        arguments: [
            ("short", ["short"]), ("", [""]), ("ten letters more", ["ten", "letters", "more"]),
            ("removePasscode", ["remove", "Passcode"]), ("abcdefghijk", ["abcdefgh", "ijk"]),
            ("a-b-c-d-e-f", ["a-b-c-d", "-e-f"]),
        ]
    )
    func `breaks lines at spaces, capitals and dashes`(text: String, lines: [String]) {
        #expect(text.lines(of: 8) == lines)
    }

    @Test func `says in words what its colours say`() throws {
        let report = try ShippedScenarios.report("4-enrollment-change")
        let page = HTMLReport([report]).text
        let words = [">absent<", ">asks: face<", ">refused (-25293)<", ">readable<", ">unlocked<"]
        #expect(words.filter { !page.contains($0) } == [])
        let looks = ["cell asks", "over dotted", "cell refused", "over crossed", "cell absent"]
        #expect(looks.filter { !page.contains("class=\"\($0)\"") } == [])
        #expect(page.contains("observed errSecAuthFailed (-25293)"))
        #expect(page.contains("hidden by the Simulator"))
    }

    @Test func `has every scenario of several`() throws {
        let page = HTMLReport(try ShippedScenarios.names.map(ShippedScenarios.report)).text
        let document = try #require(ElementCounter.count(String(page.dropFirst(16))))
        #expect(document.counts["section"] == ShippedScenarios.names.count)
        #expect(document.counts["h2"] == ShippedScenarios.names.count)
        #expect(page.contains("<h1>9 scenarios</h1>"))
    }
}
