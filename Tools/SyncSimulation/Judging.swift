import Cryptography
import Glibc
import KeychainSync
import Secrets

/// A measurement of the time to judge links from a removed keeper, or with wrong signatures.
struct Judging {
    private let chain: CircleChain
    /// The link that removes the keeper.
    private let removal: Link
    private let hostile: [Link]

    /// ★ Table: the links that attackers put on a relay.
    enum World: String, CaseIterable {
        case signed = "links that the keeper signed"
        case unsigned = "links with wrong signatures"
        case encodings = "encodings of one link with wrong signatures"
    }

    init(_ world: World, linkCount: Int) throws {
        let random = SeededRandom(1)
        let writer = LinkWriter(random, time: 0)
        let (ada, bob) = (try random.signer(), try random.signer())
        let founding = try writer.found(by: ada, deviceName: "ada", recovery: nil)
        let code = founding.link.code
        var chain = CircleChain(code)
        try chain.add([founding.link])
        func next(_ changes: Link.Changes, by signer: SoftwareSigner) throws -> Link {
            guard let head = chain.head else { throw Violation(.circle, "there is no chain") }
            return try writer.follow(changes, after: head, founding.key, code, by: [signer]).link
        }
        var changes = Link.Changes()
        changes.added = [try Link.Newcomer(bob.keys, deviceName: "bob", isKeeper: true)]
        try chain.add([try next(changes, by: ada)])
        changes = Link.Changes()
        changes.removed = [try bob.name()]
        removal = try next(changes, by: ada)
        var links: [Link] = []
        for number in 0..<linkCount {
            if world != .encodings || number == 0 {
                changes = Link.Changes()
                let eve = try random.signer().keys
                changes.added = [try Link.Newcomer(eve, deviceName: "eve", isKeeper: true)]
                links.append(try next(changes, by: bob))
            } else {
                links.append(links[0])
            }
            guard world != .signed, let link = links.last else { continue }
            // A well-formed signature that is wrong for this link.
            var wrong = link.signatures[0]
            for place in 32..<40 {
                wrong[place] = UInt8(truncatingIfNeeded: number >> (place - 32))
            }
            links[links.count - 1] = link.signed([wrong])
        }
        hostile = links
        self.chain = chain
    }

    /// Judges all links at once.
    ///
    /// - Returns: The processor time.
    func run() throws -> Duration {
        var chain = chain
        let start = Self.processorTime
        try chain.add(hostile + [removal])
        let time = Self.processorTime - start
        guard chain.head?.link == removal else {
            throw Violation(.circle, "hostile links changed the chain")
        }
        return time
    }

    private static var processorTime: Duration {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
