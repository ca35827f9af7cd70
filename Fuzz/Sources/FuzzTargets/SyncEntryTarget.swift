@testable import KeychainSync

extension FuzzTarget {
    /// What devices of a circle write: a byte that says which part follows, then the part.
    ///
    /// 0: an entry as a relay shows it, without its signature, which is added here. 1: a segment
    /// before it is sealed. 2: a link before it is sealed: number, content. 3: a request to join
    /// before it is sealed.
    ///
    /// Each is written as it was read.
    static let syncEntry = FuzzTarget(name: "sync-entry") { bytes throws(BrokenLaw) in
        let part = Array(bytes.dropFirst())
        let written: [UInt8]
        do throws(SyncError) {
            switch (bytes.first ?? 0) % 4 {
            case 0: written = try SyncFixture.entry(part)
            case 1: written = try SyncFixture.segment(part)
            case 2: written = try SyncFixture.written(SyncFixture.link(part))
            default: written = try SyncFixture.request(part)
            }
        } catch {
            if case .backend(let reason) = error { throw BrokenLaw(law: "no failure: \(reason)") }
            return .refused
        }
        try require(part.starts(with: written), "a part is written as it was read")
        let rest = part.dropFirst(written.count)
        try require(rest.allSatisfy { $0 == 0 }, "what follows a part are zeros")
        return .accepted
    }
}
