// Definitions  "node": a link whose bytes were read. "Child": a link that names another as the one
//              before it. "Valid": its founding has the circle's code, its predecessor is valid,
//              and `CircleState` lets it follow. "Order": the recovery key, then the keepers, of
//              the state after a node.
// Laws         (1) What is chosen is a function of the set of links, not of the order of `add`.
//              (2) What an honest keeper signed is undone only with a key earlier in the order
//                  that has not signed since.
// Termination  A link names the digest of the one before it, so none is its own ancestor. `judge`
//              enters each node at most once, from its one parent. Every step either enters a node,
//              or looks at the next child, or leaves a node for good. Signatures are checked once:
//              an encoding that was checked is either the node's from then on, or forgotten.
// Cost         A link is entered once for each `judge`, in steps that follow from its own size and
//              from `CircleState.keeperCountLimit`. Encodings are never compared with each other.
//              Who signed a branch moves to its parent, and is not copied.    → JudgingCostTests

/// Chooses the chain of a circle among all links that were read.
///
/// ```swift
/// var chain = CircleChain(code)
/// try chain.add(links)
/// chain.head?.state.members
/// chain.verdicts[link.digest]
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
        /// Whether the signatures of that one are right.
        var isChecked: Bool
        /// Encodings that nobody looked at yet.
        var unchecked: [Link]

        /// The encoding whose signatures are right, if there is one.
        var link: Link? { isChecked ? content : nil }
    }

    package let code: SyncCode
    private let rules: CircleRules
    private var nodes: [SyncDigest: Node] = [:]
    private var children: [SyncDigest: [SyncDigest]] = [:]
    /// The chosen chain, from the founding link on; empty as long as that is unknown.
    package private(set) var chain: [Link] = []
    /// Where each link of the chosen chain stands.
    private var places: [SyncDigest: Int] = [:]
    /// The key in force at each link of the chosen chain.
    package private(set) var seals: [SealName] = []
    /// The end of the chosen chain.
    package private(set) var head: Head?
    /// What became of everybody who ever was on the chosen chain and is no member now.
    package private(set) var removals: [KeyName: Removal] = [:]
    /// Why links do not count; none for those of the chosen chain.
    package private(set) var faults: [SyncDigest: LinkFault] = [:]
    private var signersOfLinks: [SyncDigest: [KeyName]] = [:]
    /// Keys that signed two links that follow the same one: somebody has a copy of the device.
    package private(set) var forkers: Set<KeyName> = []
    /// What judging took so far: links entered, encodings checked, and keepers compared.
    package private(set) var stepCount = 0

    /// Who removed a device, and by which link.
    package struct Removal: Sendable, Hashable {
        package let link: SyncDigest
        package let signers: [KeyName]
        package let deviceName: String
    }

    /// A chain without links, of the circle with this code.
    package init(_ code: SyncCode, rules: CircleRules = CircleRules()) {
        self.code = code
        self.rules = rules
    }

    /// Takes links in, and chooses again; trusted ones are those whose signatures this device
    /// checked before.
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

    /// Who signed a link that counts, whether or not it is on the chosen chain.
    package func signers(of digest: SyncDigest) -> [KeyName] { signersOfLinks[digest] ?? [] }

    /// Whether a link was read, whatever became of it.
    package func knows(_ digest: SyncDigest) -> Bool { nodes[digest] != nil }

    /// Where a link stands on the chosen chain; nil if it is not on it.
    package func place(of digest: SyncDigest) -> Int? { places[digest] }

    /// A link whose signatures were checked.
    package func link(_ digest: SyncDigest) -> Link? { nodes[digest]?.link }

    // MARK: Choosing

    /// A valid child with all that follows it.
    private struct Branch {
        let child: SyncDigest
        /// Who signed on its chosen path.
        var signers: Set<KeyName>
    }

    /// A node that the walk has entered and not left yet.
    private struct Frame {
        let link: Link
        let signers: [KeyName]
        let undo: CircleState.Undo
        var nextChild = 0
        var branches: [Branch] = []
        /// Who signed one of its children.
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
    /// - Returns: Whether it founds this circle.
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

    /// The branch for which the first in the order decides who signed in only one of two; or the
    /// one with the smaller digest.
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

    /// Judges one link whose predecessor is valid, and lets the state follow it.
    ///
    /// - Returns: nil if it does not count.
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

    /// Who has to have signed a link.
    private func signers(
        of link: Link,
        after previous: Link?,
        _ state: CircleState
    ) throws(LinkFault) -> [(name: KeyName, keys: PeerKeys)] {
        guard let previous else {
            // The founder signs the founding link: the first that comes in.
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

    /// The encoding of a link whose signatures are right; each is looked at once.
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

    /// Walks along the chosen chain once more, and notes what it says.
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
