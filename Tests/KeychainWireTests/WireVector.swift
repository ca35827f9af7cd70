import Foundation
import KeychainWire
import MessageTestSupport
import TestSupport
import Testing

/// A section of a vector file: bytes written by hand from the specification, and what they mean.
struct WireVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private(set) var side: WireSide
    private(set) var bytes: [UInt8] = []
    /// The content of the message; nil for bytes that are none.
    private(set) var meaning: String?
    /// The name of the error, and what it is about.
    private(set) var error: String?

    /// The sections of a file in `Vectors`.
    static func all(in file: String, from side: WireSide) -> [WireVector] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Vectors/" + file)
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        var vectors: [WireVector] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") {
                vectors.append(WireVector(testDescription: String(line.dropFirst(3)), side: side))
            } else if !vectors.isEmpty {
                vectors[vectors.count - 1].take(line)
            }
        }
        return vectors
    }

    private mutating func take(_ line: Substring) {
        if line.hasPrefix("means ") {
            meaning = String(line.dropFirst("means ".count))
        } else if line.hasPrefix("error ") {
            error = String(line.dropFirst("error ".count))
        } else if line.hasPrefix("from ") {
            side = line.hasSuffix("daemon") ? .daemon : .client
        } else {
            let digits = line.prefix { $0 != "#" }.filter { $0 != " " }
            bytes += stride(from: 0, to: digits.count, by: 2).compactMap { offset in
                UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
            }
        }
    }
}

@Suite(.requirement("DMN-16")) struct `A vector of the wire` {
    private static let messages =
        WireVector.all(in: "client-messages.txt", from: .client)
        + WireVector.all(in: "daemon-messages.txt", from: .daemon)

    @Test(arguments: messages)
    func `means what stands below it, and is written with its bytes`(vector: WireVector) throws {
        let message = try vector.side.decode(vector.bytes)
        #expect(message.content == vector.meaning)
        #expect(try message.encoded() == vector.bytes)
    }

    @Test(arguments: WireVector.all(in: "malformed.txt", from: .client))
    func `is refused with the error below it`(vector: WireVector) throws {
        let error = try #require(throws: WireError.self) { try vector.side.decode(vector.bytes) }
        #expect(error.name == vector.error)
    }

    @Test func `is there`() {
        #expect(Self.messages.count == 34)
        #expect(WireVector.all(in: "malformed.txt", from: .client).count == 35)
    }
}

extension WireError {
    /// The case and what it is about, as in the vector files.
    fileprivate var name: String {
        switch self {
        case .truncated: "truncated"
        case .trailingBytes: "trailingBytes"
        case .unknownValue(let what): "unknownValue \(what)"
        case .invalidValue(let what): "invalidValue \(what)"
        case .invalidText: "invalidText"
        case .limitExceeded(let what): "limitExceeded \(what)"
        }
    }
}
