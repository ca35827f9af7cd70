import Foundation
import Secrets
import TestSupport
import Testing

@testable import PlaintextFormats

@Suite struct `What a removal leaves to be known` {
    @Test(.requirement("USE-07"), arguments: formatExamples)
    func `gives the file back byte for byte`(example: FormatExample) throws {
        let file = try PlaintextFile(example.text, as: example.format)
        let movable = file.entries.filter { $0.hindrance == nil }
        let bytes = try file.bytesRestoring(movable, as: example.format)
        #expect(bytes == Array(example.text.utf8))
    }

    @Test func `is read as earlier versions wrote it`() throws {
        let record = """
            {"gaps": [{"offset": 0, "replacement": [], "parts": [{"bytes": {"_0": [65, 61, 34]}}, \
            {"spelledSecret": {"literals": [1]}}, {"secret": {"_0": "csv", "prefix": ""}}, \
            {"remark": {"_0": "plain"}}]}]}
            """
        let trace = try JSONDecoder().decode(RemovalTrace.self, from: Data(record.utf8))
        let empty = SharedSecret(Secret(copying: []))
        let secret = SharedSecret(Secret(copying: "a\nb".utf8))
        let remark = SharedSecret(Secret(copying: "note".utf8))
        let whole = trace.restored(in: empty, secret, remark: remark)
        #expect(whole?.secret.copyBytesUnprotected() == Array("A=\"a\nba\nbnote".utf8))
    }

    @Test(arguments: formatExamples)
    func `holds no secret`(example: FormatExample) throws {
        let file = try PlaintextFile(example.text, as: example.format)
        let long = file.entries.filter { $0.secretText.utf8.count > 2 }
        let told = long.filter { entry in
            let texts = file.trace(of: entry).gaps.flatMap(\.parts).map { part in
                if case .bytes(let bytes) = part {
                    String(decoding: bytes, as: UTF8.self)
                } else {
                    ""
                }
            }
            return texts.joined().contains(entry.secretText)
        }
        #expect(told.map(\.placeText) == [])
    }

    @Test(arguments: [[-1], [Int.min], [Int.max], [1 << 40], [6], [2, 1], []] as [[Int]])
    func `is refused where no removal can have done it`(offsets: [Int]) {
        let gaps = offsets.map {
            RemovalTrace.Gap(offset: $0, replacement: [], parts: [.bytes([65])])
        }
        let content = SharedSecret(Secret(copying: "A=x\n#".utf8))
        let trace = RemovalTrace(gaps: gaps)
        #expect(trace.restored(in: content, content, remark: nil) == nil)
    }
}
