import Cryptography
import Secrets
import Testing

@testable import PlaintextFormats

extension PlaintextFile {
    /// Reads a text in the format of a name.
    init(_ text: String, as name: String) throws(PlaintextError) {
        try self.init(bytes: Array(text.utf8), as: name)
    }

    init(bytes: [UInt8], as name: String) throws(PlaintextError) {
        guard let format = PlaintextFormat.named(name) else {
            throw PlaintextError(0, "there is no such format")
        }
        try self.init(SharedSecret(Secret(copying: bytes)), as: format)
    }

    /// What is left when those entries are gone, one after the other.
    func text(removing entries: [PlaintextEntry], as name: String) throws -> String {
        var bytes = content.secret.copyBytesUnprotected()
        for place in entries.map(\.place) {
            let file = try PlaintextFile(bytes: bytes, as: name)
            guard let entry = file.entries.first(where: { $0.place == place }) else { continue }
            bytes = file.removing(entry).copyBytesUnprotected()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What taking some entries out leaves to be known, and the file without them.
    func removals(
        of entries: [PlaintextEntry],
        as name: String
    ) throws -> (taken: [(trace: RemovalTrace, entry: PlaintextEntry)], rest: PlaintextFile) {
        var file = self
        var taken: [(trace: RemovalTrace, entry: PlaintextEntry)] = []
        for place in entries.map(\.place) {
            guard let entry = file.entries.first(where: { $0.place == place }) else { continue }
            taken.append((file.trace(of: entry), entry))
            file = try PlaintextFile(bytes: file.removing(entry).copyBytesUnprotected(), as: name)
        }
        return (taken, file)
    }

    /// The bytes after some entries were taken out and put back by what their removal left.
    func bytesRestoring(_ entries: [PlaintextEntry], as name: String) throws -> [UInt8] {
        let (taken, file) = try removals(of: entries, as: name)
        var content = file.content
        for (trace, entry) in taken.reversed() {
            let restored = trace.restored(in: content, entry.secret, remark: entry.remark)
            content = try #require(restored)
        }
        return content.secret.copyBytesUnprotected()
    }
}

extension PlaintextEntry {
    /// Such as `htps://alice@example.org:8080/path` or `aws:default/AWS_SESSION_TOKEN`.
    var placeText: String {
        switch place {
        case .service(let service, let account): return "\(service ?? "·")/\(account)"
        case .server(let server):
            let port = server.port.map { ":\($0)" } ?? ""
            let letters = server.protocolName ?? "*"
            return "\(letters)://\(server.account)@\(server.server)\(port)\(server.path)"
        }
    }

    var secretText: String {
        String(decoding: secret.secret.copyBytesUnprotected(), as: UTF8.self)
    }
}

extension SeededNumbers {
    mutating func chance(_ one: Int, in all: Int) -> Bool { next(below: all) < one }

    /// Letters of an alphabet.
    mutating func word(of alphabet: String, _ count: ClosedRange<Int>) -> String {
        let letters = Array(alphabet)
        let length = Int.random(in: count, using: &self)
        return String((0..<length).map { _ in pick(letters) })
    }
}
