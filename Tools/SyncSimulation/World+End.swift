import KeychainSync

extension World {
    /// Ends all faults, lets the devices exchange everything, and checks what has to be true.
    ///
    /// - Returns: The members.
    mutating func finish() throws -> [Int] {
        for number in devices.indices {
            devices[number].isOffline = false
            devices[number].awayUntil = 0
        }
        try settle()
        // A device that is gone may owe keys to others, until it is removed: by everybody who takes
        // it for a member, as the first may be one who was not told of its own removal.
        for remover in members() {
            for number in devices.indices where devices[number].isDestroyed {
                try remove(number, by: remover)
            }
            try settle()
        }
        let members = members()
        try checkCircle(members)
        try checkKeys(members)
        try checkItems(members)
        return members
    }

    private func members() -> [Int] {
        devices.indices.filter { !devices[$0].isDestroyed && isMember($0) }
    }

    /// Passes of all devices until nothing happens any more.
    mutating func settle() throws {
        for _ in 0..<100 {
            let before = activity
            for number in devices.indices where !devices[number].isDestroyed {
                try quietPass(number)
            }
            if activity == before { return }
        }
        throw Violation(.quiescence, "devices go on and on")
    }

    private func checkCircle(_ members: [Int]) throws(Violation) {
        guard let first = members.first, let circle = devices[first].machine.circle else { return }
        for number in members where devices[number].machine.circle?.peers != circle.peers {
            let text = "devices \(first) and \(number) have different circles"
            throw Violation(.circle, [text, say(first), say(number)].joined(separator: "\n"))
        }
        for number in members where devices[number].machine.circle != circle {
            throw Violation(.circle, "devices \(first) and \(number) have different epochs")
        }
        for device in devices {
            // Who never got a key cannot be told.
            guard let state = circle.peers[device.peer], state.entryCount != nil,
                !device.isDestroyed, device.machine.circle?.peers[device.peer] != nil
            else { continue }
            guard device.wasToldOfRemoval else {
                throw Violation(.notices, "device \(device.number) does not know of its removal")
            }
        }
        for number in devices.indices where !devices[number].isDestroyed {
            let isAdded = circle.peers[devices[number].peer] != nil
            if isAdded && circle.hasMember(devices[number].peer) != members.contains(number) {
                throw Violation(.circle, "device \(number) is a member for some")
            }
        }
    }

    /// What a device takes for the circle, for people.
    private func say(_ number: Int) -> String {
        let machine = devices[number].machine
        func name(_ peer: PeerName) -> String { relay.numbers[peer].map { "\($0)" } ?? "?" }
        let peers = (machine.circle?.peers ?? [:]).map {
            name($0.key) + ($0.value.entryCount.map { " (\($0))" } ?? "")
        }
        let unread = machine.streamsToRead().map { "\(name($0.peer)) at \($0.first)" }
        let epochs = (machine.circle?.epochs ?? []).map {
            "\($0.isClean ? "clean" : "old") by \(name($0.maker))"
                + (machine.memory.epochs.contains($0.name) ? "" : " missing")
                + " for " + $0.recipients.map(name).sorted().joined(separator: "+")
        }
        return """
              \(number): peers \(peers.sorted()), unread \(unread), epochs \(epochs), \
            statements \(machine.memory.statements.values
                .sorted { ($0.generation, $0.digest) < ($1.generation, $1.digest) }
                .map { say($0) })
            """
    }

    private func say(_ statement: Statement) -> String {
        func name(_ peer: PeerName) -> String { relay.numbers[peer].map { "\($0)" } ?? "?" }
        let action =
            switch statement.action {
            case .found: "found"
            case .add(_, let name): "add \(name)"
            case .remove(let peer, let entryCount, _): "remove \(name(peer)) (\(entryCount))"
            case .rotate(_, let readers):
                "rotate for " + readers.recipients.map(name).sorted().joined(separator: "+")
            case .recover: "recover"
            }
        return "\(statement.generation): \(name(statement.author)) at \(statement.entry) \(action)"
    }

    private func checkKeys(_ members: [Int]) throws(Violation) {
        for number in members {
            let machine = devices[number].machine
            // A peer that was removed, and removed others, has keys that these never get.
            let stream = machine.streamsToRead().first {
                machine.circle?.counts(EntryPlace($0.peer, $0.first)) == true
            }
            if let stream {
                throw Violation(.keys, "device \(number) cannot read on in \(stream)")
            }
            if !machine.unpublished.isEmpty {
                let text = "device \(number) cannot write what it has: "
                let items = machine.unpublished.compactMap { Self.itemNumbers[$0] }
                throw Violation(.keys, text + "\(items)\n" + say(number))
            }
        }
        // Who removed somebody may have been a member for some while others had removed it; it got
        // the keys of that time.
        let circle = members.first.flatMap { devices[$0].machine.circle }
        for device in devices
        where circle?.peers[device.peer]?.entryCount != nil
            && !removers.contains(device.peer)
            && !isContested(device.peer, circle)
        {
            for (epoch, peers) in sealedWithout
            where peers.contains(device.peer) && device.machine.memory.epochs.contains(epoch) {
                let text = "device \(device.number) was removed, and can read on"
                let index = circle?.epochs.firstIndex { $0.name == epoch } ?? -1
                let circles = [say(members[0]), say(device.number), "   epoch \(index)"]
                throw Violation(.secrecy, ([text] + circles).joined(separator: "\n"))
            }
        }
    }

    /// Whether somebody may have taken a peer for a member, because removals contradict each other:
    /// its own, or that of somebody who brought it in.
    private func isContested(_ peer: PeerName, _ circle: Circle?) -> Bool {
        var next: PeerName? = peer
        for _ in devices {
            guard let peer = next else { return false }
            if reference.contested.contains(peer) || reference.reinstated.contains(peer) {
                return true
            }
            next = circle?.peers[peer]?.addedBy
        }
        return false
    }

    private func checkItems(_ members: [Int]) throws(Violation) {
        guard let first = members.first else { return }
        for number in members {
            for item in 0..<Self.itemCount {
                let content = devices[number].keychain[item]
                let known = devices[number].machine.memory.versions[Self.items[item]]
                let expected = devices[first].keychain[item]
                guard content?.digest == expected?.digest else {
                    let text = "devices \(first) and \(number) differ in item \(item)"
                    throw Violation(.convergence, text)
                }
                guard content?.digest == known?.mark.version.digest else {
                    let text = "device \(number) does not contain its item \(item)"
                    throw Violation(.contained, text)
                }
            }
        }
        try checkNothingLost(members, first)
    }

    /// The items are at least what members did and knew, and what the first entries of removed
    /// peers say that count.
    private func checkNothingLost(_ members: [Int], _ first: Int) throws(Violation) {
        let final = reference.known[first]
        for number in members {
            for item in 0..<Self.itemCount {
                let versions = [
                    reference.made[number][item], reference.known[number][item],
                    reference.unseen[number][item],
                ]
                for version in versions.compactMap(\.self) {
                    guard let end = final[item], !version.isGreater(than: end) else {
                        let text = "item \(item) lost a change of device \(number)"
                        throw Violation(.nothingLost, text)
                    }
                }
            }
        }
        for stream in relay.streams {
            guard let circle = devices[first].machine.circle,
                let state = circle.peers[stream.peer]
            else { continue }
            let end = min(Int(clamping: state.entryCount ?? .max), stream.entries.count)
            guard stream.first < end else { continue }
            for entry in stream.entries[stream.first..<end] {
                guard case .segment(let segment, _) = entry.content else { continue }
                for mark in segment.changes {
                    let item = Self.itemNumbers[mark.item] ?? 0
                    guard let end = final[item], !Reference.Version(mark).isGreater(than: end)
                    else {
                        let text = "item \(item) lost a change that was written"
                        throw Violation(.nothingLost, text)
                    }
                }
            }
        }
    }

    // MARK: A relay that lies

    /// Lets the relay forget entries, or show one device others, after the end.
    ///
    /// Somebody has to notice.
    mutating func betray(_ members: [Int]) throws {
        guard members.count > 1, let writer = members.first, let reader = members.last else {
            return
        }
        isRelayHonest = false
        let peer = devices[writer].peer
        let count = relay.streams[writer].entries.count
        guard count > relay.streams[writer].first + 2 else { return }
        if seed % 2 == 0 {
            relay.forgetLast(1, of: writer)
            try quietPass(reader)
            let expected = SyncNotice.rolledBack(
                peer,
                known: UInt64(count),
                listed: UInt64(count - 1)
            )
            if !notices.contains(expected) {
                throw Violation(.notices, "nobody noticed that the relay forgot an entry")
            }
            return
        }
        writeSomething(on: writer)
        try quietPass(writer)
        relay.forkLast(of: writer, seed: seed)
        try quietPass(reader)
        writeSomething(on: reader)
        try quietPass(reader)
        try quietPass(writer)
        let isNoticed = notices.contains { notice in
            if case .forked(let place) = notice { place.peer == peer } else { false }
        }
        if !isNoticed { throw Violation(.notices, "nobody noticed that the relay forked") }
    }

    private mutating func writeSomething(on number: Int) {
        devices[number].keychain[0] = Content(
            digest: Dice.name(seed, UInt64(number), 0xbe7a),
            isTombstone: false,
            modified: 1_800_000_000_000
        )
    }
}
