@testable import EtcdRelay
@testable import KeychainSync
@testable import RemoteRelay
@testable import SyncRelay

extension FuzzTarget {
    /// A message between keychain-sync and keychain-relay: an even byte and a request, or an odd
    /// one and a reply.
    ///
    /// Each is written as it was read.
    static let relayMessage = FuzzTarget(name: "relay-message") { bytes throws(BrokenLaw) in
        let message = Array(bytes.dropFirst())
        let written: [UInt8]
        do throws(SyncError) {
            written =
                (bytes.first ?? 0) % 2 == 0
                ? try RelayRequest(message).bytes() : try RelayReply(message).bytes()
        } catch { return .refused }
        try require(written == message, "a message is written as it was read")
        return .accepted
    }

    /// What is in the directory of a relay, by its first byte.
    ///
    /// 0: the file of an entry. 1: a name beside it. 2: the name of a link. 3: that of boxes.
    static let relayFile = FuzzTarget(name: "relay-file") { bytes throws(BrokenLaw) in
        let part = Array(bytes.dropFirst())
        let name = String(decoding: part, as: UTF8.self)
        let written: String?
        switch (bytes.first ?? 0) % 4 {
        case 0: return try entryFile(part)
        case 1:
            switch EntryFile.meaning(of: name) {
            case .entry(let number): written = EntryFile.name(of: number)
            case .first(let number): written = EntryFile.name(ofFirst: number)
            case .unfinished: return .accepted
            case .foreign: written = nil
            }
        case 2: written = LinkPart.link.place(ofFile: name).map(LinkPart.link.fileName)
        default: written = LinkPart.boxes.place(ofFile: name).map(LinkPart.boxes.fileName)
        }
        guard let written else { return .refused }
        try require(Array(written.utf8) == part, "a name is written as it was read")
        return .accepted
    }

    private static func entryFile(_ bytes: [UInt8]) throws(BrokenLaw) -> Verdict {
        let written: [UInt8]
        do throws(RelayError) {
            guard case .whole(let entry) = try EntryFile.state(of: bytes) else { return .refused }
            written = try EntryFile.content(with: entry)
        } catch { throw BrokenLaw(law: "no failure: \(error.words)") }
        try require(written == bytes, "a file is written as it was read")
        return .accepted
    }

    /// What etcd answers: a byte for the status of HTTP, and the body.
    ///
    /// The keys of links and the records of streams are written as they were read.
    static let etcdAnswer = FuzzTarget(name: "etcd-answer") { bytes throws(BrokenLaw) in
        let statuses = [200, 400, 404, 500, 503]
        let status = statuses[Int(bytes.first ?? 0) % statuses.count]
        let answer: EtcdAnswer
        do throws(RelayError) {
            answer = try EtcdAnswer(Array(bytes.dropFirst()), status: status)
        } catch {
            try require(!error.words.isEmpty, "a failure has words")
            return .refused
        }
        let requests = EtcdRequests(.zeros)
        for pair in answer.pairs {
            try require(pair.revision >= 0 && pair.revision < .max, "a revision has a next one")
            if let place = requests.place(ofLink: pair.key) {
                let key = Array(requests.key(.link, place).utf8)
                try require(key == pair.key, "a key is written as it was read")
            }
            if let range = EtcdRequests.range(pair.value) {
                try require(
                    Array("\(range.lowerBound) \(range.upperBound)".utf8) == pair.value,
                    "a record is written as it was read"
                )
            }
        }
        return .accepted
    }
}
