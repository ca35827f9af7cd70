// Definitions  "Node": a link whose bytes were read. "Child": a link that names another one as its
//              predecessor. "Valid": the founding link has the circle's code, the predecessor is
//              valid, the signatures are correct, and `CircleState` accepts the link. "Order": the
//              recovery key, then the keepers, of the state after a node.
// Laws         (1) The chosen chain depends on the set of links, not on the order of `add`.
//              (2) Only a key that is earlier in the order, and has not signed since, can undo a
//                  link that an honest keeper signed.
// Termination  A link names the digest of its predecessor, so no link is its own ancestor. `judge`
//              enters each node at most once, from its one parent. Each step enters a node, looks
//              at the next child, or leaves a node for good. Signatures are checked once: after
//              that, the node keeps the encoding or drops it.
// Cost         Each `judge` enters a link once. The number of steps depends on the size of the link
//              and on `CircleState.keeperCountLimit`. Encodings are never compared with each other.
//              The set of a branch's signers moves to its parent without a copy. → JudgingCostTests

/// Chooses the chain of a circle among all links that this device has read.
///
/// ```swift
/// var chain = CircleChain(code)
/// try chain.add(links)
/// chain.head?.state.members
/// chain.faults[link.digest]
/// ```
///
/// - Source: Documentation/Spec/sync.md §3.
package struct CircleChain: Sendable {
    /// A link of the chosen chain, and the circle after it.
    package struct Head: Sendable {
        package let link: Link
        package let state: CircleState

        package init(link: Link, state: CircleState) {
            self.link = link
            self.state = state
        }
    }

    private struct Node: Sendable {
        /// An encoding of the link; encodings differ in their signatures only.
        var content: Link
        /// Whether the signatures of `content` were checked and are correct.
        var isChecked: Bool
        /// Encodings whose signatures were not checked yet.
        var unchecked: [Link]

        /// The encoding whose signatures are correct, if there is one.
        var link: Link? { isChecked ? content : nil }
    }

    package let code: SyncCode
    private let rules: CircleRules
    private var nodes: [SyncDigest: Node] = [:]
    private var children: [SyncDigest: [SyncDigest]] = [:]
    /// The chosen chain from the founding link on; empty until the founding link is known.
    package private(set) var chain: [Link] = []
    /// The index of each link in the chosen chain.
    private var places: [SyncDigest: Int] = [:]
    /// The key in force at each link of the chosen chain.
    package private(set) var seals: [SealName] = []
    /// The end of the chosen chain.
    package private(set) var head: Head?
    /// The removal of each device that was on the chosen chain and is no longer a member.
    package private(set) var removals: [KeyName: Removal] = [:]
    /// The reason each known link is not on the chosen chain; links of that chain have none.
    package private(set) var faults: [SyncDigest: LinkFault] = [:]
    private var signersOfLinks: [SyncDigest: [KeyName]] = [:]
    /// Keys that signed two valid links with the same predecessor: somebody has a copy of the key.
    package private(set) var forkers: Set<KeyName> = []
    /// The work done so far: links entered, encodings checked, and keepers compared.
    package private(set) var stepCount = 0

    /// The link that removed a device, and its signers.
    package struct Removal: Sendable, Hashable {
        package let link: SyncDigest
        package let signers: [KeyName]
        package let deviceName: String
    }

    /// Creates an empty chain for the circle with this code.
    package init(_ code: SyncCode, rules: CircleRules = CircleRules()) {
        self.code = code
        self.rules = rules
    }

    /// Adds links, and chooses the chain again.
    ///
    /// The signatures of `trusted` links are not checked, because this device checked them before.
    package mutating func add(_ links: [Link], trusted: Bool = false) throws(SyncError) {
        var isNew = false
        for link in links {
            if let isChecked = nodes[link.digest]?.isChecked {
                guard !isChecked else { continue }
            } else {
                nodes[link.digest] = Node(content: link, isChecked: false, unchecked: [])
                children[link.previous, default: []].append(link.digest)
            }
            if trusted {
                nodes[link.digest] = Node(content: link, isChecked: true, unchecked: [])
            } else {
                nodes[link.digest]?.unchecked.append(link)
            }
            isNew = true
        }
        if isNew { try judge() }
    }

    /// Whether a link is on the chosen chain.
    package func contains(_ digest: SyncDigest) -> Bool { places[digest] != nil }

    /// The links whose signatures were checked, in the order of their digests.
    package var knownLinks: [SyncDigest] {
        nodes.filter { $0.value.link != nil }.keys.sorted()
    }

    /// The signers of a valid link, even if it is not on the chosen chain; empty for any other
    /// link.
    package func signers(of digest: SyncDigest) -> [KeyName] { signersOfLinks[digest] ?? [] }

    /// Whether a link was read, even if it is not valid.
    package func knows(_ digest: SyncDigest) -> Bool { nodes[digest] != nil }

    /// The index of a link in the chosen chain; nil if it is not there.
    package func place(of digest: SyncDigest) -> Int? { places[digest] }

    /// A link with the encoding whose signatures were checked; nil if there is none.
    package func link(_ digest: SyncDigest) -> Link? { nodes[digest]?.link }

    // MARK: Choosing

    /// A valid child, together with everything that follows it.
    private struct Branch {
        let child: SyncDigest
        /// The signers along its chosen path.
        var signers: Set<KeyName>
    }

    /// A node that the walk has entered but not left yet.
    private struct Frame {
        let link: Link
        let signers: [KeyName]
        let undo: CircleState.Undo
        var nextChild = 0
        var branches: [Branch] = []
        /// The signers of its children that were entered so far.
        var childSigners: Set<KeyName> = []
    }

    private mutating func judge() throws(SyncError) {
        var chosen: [SyncDigest: SyncDigest] = [:]
        faults = [:]
        forkers = []
        signersOfLinks = [:]
        for founding in (children[.zeros] ?? []).sorted() where chosen[.zeros] == nil {
            if try walk(from: founding, &chosen) { chosen[.zeros] = founding }
        }
        try follow(chosen)
        for (digest, node) in nodes where faults[digest] == nil && places[digest] == nil {
            let isLoose = nodes[node.content.previous] == nil && !node.content.isFounding
            faults[digest] = isLoose ? .predecessorUnknown : .predecessorIgnored
        }
    }

    /// Judges a founding link and everything that follows it.
    ///
    /// - Returns: Whether the founding link is valid for this circle.
    private mutating func walk(
        from founding: SyncDigest,
        _ chosen: inout [SyncDigest: SyncDigest]
    ) throws(SyncError) -> Bool {
        var state = CircleState()
        guard let first = try enter(founding, after: nil, &state) else { return false }
        var frames = [first]
        while let here = frames.indices.last {
            let link = frames[here].link
            let following = children[link.digest] ?? []
            if frames[here].nextChild < following.count {
                let child = following[frames[here].nextChild]
                frames[here].nextChild += 1
                guard let entered = try enter(child, after: link, &state) else { continue }
                for signer in entered.signers
                where !frames[here].childSigners.insert(signer).inserted {
                    forkers.insert(signer)
                }
                frames.append(entered)
                continue
            }
            // All children are judged, and the state is the one after this link.
            var left = frames.removeLast()
            var branch = Branch(child: link.digest, signers: [])
            if let best = choose(among: left.branches, state) {
                chosen[link.digest] = left.branches[best].child
                swap(&branch.signers, &left.branches[best].signers)
            }
            branch.signers.formUnion(left.signers)
            state.undo(left.undo)
            if here > 0 { frames[here - 1].branches.append(branch) }
        }
        return true
    }

    /// Returns the index of the winning branch.
    ///
    /// Of two branches, the first key in the order that signed only one of them decides for that
    /// branch. If no key did, the branch with the smaller digest wins.
    private mutating func choose(among branches: [Branch], _ state: CircleState) -> Int? {
        guard branches.count > 1 else { return branches.indices.first }
        let order = rules.reversesOrder ? state.order.reversed() : state.order
        var best = 0
        for other in branches.indices.dropFirst() {
            let decider = decider(branches[other], branches[best], order)
            let wins = decider.map { branches[other].signers.contains($0) }
            if wins ?? smaller(branches[other].child, branches[best].child) { best = other }
        }
        for other in branches.indices where other != best {
            let decider = decider(branches[best], branches[other], order)
            faults[branches[other].child] = .overruled(by: decider)
        }
        return best
    }

    private mutating func decider(
        _ one: Branch,
        _ other: Branch,
        _ order: [KeyName]
    ) -> KeyName? {
        order.first {
            stepCount += 1
            return one.signers.contains($0) != other.signers.contains($0)
        }
    }

    private func smaller(_ one: SyncDigest, _ other: SyncDigest) -> Bool {
        rules.greaterDigestWins ? one > other : one < other
    }

    /// Checks one link whose predecessor is valid, and applies it to the state.
    ///
    /// - Returns: nil, with a fault recorded, if the link is not valid.
    private mutating func enter(
        _ digest: SyncDigest,
        after previous: Link?,
        _ state: inout CircleState
    ) throws(SyncError) -> Frame? {
        guard let content = nodes[digest]?.content else { return nil }
        stepCount += 1
        let signers: [(name: KeyName, keys: PeerKeys)]
        do throws(LinkFault) {
            signers = try self.signers(of: content, after: previous, state)
            try state.check(content, by: signers.map(\.name))
        } catch {
            faults[digest] = error
            return nil
        }
        guard let link = try checked(digest, signers.map(\.keys)) else {
            faults[digest] = .wrongSignature
            return nil
        }
        guard !link.hasWrongKey else {
            faults[digest] = .wrongKey
            return nil
        }
        let names = signers.map(\.name)
        signersOfLinks[digest] = names
        return Frame(link: link, signers: names, undo: try state.apply(link, by: names))
    }

    /// Returns the keys that must have signed a link.
    ///
    /// - Throws: `otherFounding`, `wrongNumber` or `noSuchSigner`.
    private func signers(
        of link: Link,
        after previous: Link?,
        _ state: CircleState
    ) throws(LinkFault) -> [(name: KeyName, keys: PeerKeys)] {
        guard let previous else {
            // The founder is the first device that the founding link adds, and signs it.
            guard link.isFounding, link.code == code, let founder = link.changes.added.first,
                founder.isKeeper, link.signers == [0]
            else { throw .otherFounding }
            return [(founder.name, founder.keys)]
        }
        guard link.number == previous.number + 1 else { throw .wrongNumber }
        var signers: [(name: KeyName, keys: PeerKeys)] = []
        for place in link.signers {
            guard let signer = state.signer(at: place) else { throw .noSuchSigner }
            signers.append(signer)
        }
        return signers
    }

    /// Returns the first encoding of a link with correct signatures; checks each encoding once.
    private mutating func checked(
        _ digest: SyncDigest,
        _ keys: [PeerKeys]
    ) throws(SyncError) -> Link? {
        guard let node = nodes[digest], !node.isChecked else { return nodes[digest]?.link }
        nodes[digest]?.unchecked = []
        for encoding in node.unchecked {
            stepCount += 1
            guard try encoding.isSigned(by: keys) else { continue }
            let link = encoding.withKeysChecked()
            nodes[digest] = Node(content: link, isChecked: true, unchecked: [])
            return link
        }
        return nil
    }

    /// Walks along the chosen chain again, and records keys, removals and positions.
    private mutating func follow(_ chosen: [SyncDigest: SyncDigest]) throws(SyncError) {
        chain = []
        places = [:]
        seals = []
        removals = [:]
        head = nil
        var state = CircleState()
        var next = chosen[.zeros]
        while let digest = next, let link = nodes[digest]?.link {
            let names: [KeyName]
            do throws(LinkFault) {
                names = try signers(of: link, after: chain.last, state).map(\.name)
            } catch { break }
            for name in link.changes.removed {
                removals[name] = Removal(
                    link: digest,
                    signers: names,
                    deviceName: state.members[name]?.deviceName ?? ""
                )
            }
            _ = try state.apply(link, by: names)
            places[digest] = chain.count
            chain.append(link)
            seals.append(state.keyName)
            next = chosen[digest]
        }
        head = chain.last.map { Head(link: $0, state: state) }
    }
}
