import Cryptography
import KeychainSync
import KeychainSyncDriver
import SyncRelay

extension World {
    /// Carries out a step.
    func take(_ step: Step) throws {
        var dice = step.dice
        time += Double(dice.below(600))
        let living = devices.filter { !$0.isGone }
        let device = living[step.device % living.count]
        device.keychain.now = max(device.keychain.now, time + Double(dice.below(7200)) - 3600)
        switch step.kind {
        case .edit:
            try device.keychain.edit(items[dice.below(items.count)], [UInt8(dice.below(256))])
        case .editLater:
            let value = [UInt8(dice.below(256))]
            // The last day of the year 9999.
            try device.keychain.edit(items[dice.below(items.count)], value, date: 252_423_993_599)
        case .delete: try device.keychain.delete(items[dice.below(items.count)])
        case .lose: device.keychain.lose(items[dice.below(items.count)])
        case .pass: try pass(device)
        case .kill:
            device.keychain.killsAfter = dice.below(4)
            try pass(device)
            device.restart(rules)
        case .goOffline: device.isOffline = true
        case .goOnline: device.isOffline = false
        case .hide: try hide(from: device, &dice)
        case .show:
            device.relay?.network.hiddenLinks = []
            device.relay?.network.withheld = [:]
        case .backUp: device.backup = device.keychain.backup
        case .putBack: putBack(device)
        default: try changeCircle(step.kind, device, &dice)
        }
    }

    /// Makes the relay withhold some links, or the end of a stream, from a device.
    private func hide(from device: Device, _ dice: inout Dice) throws {
        guard let relay = device.relay else { return }
        relay.network.isOffline = false
        if dice.below(2) == 0 {
            let links = try relay.links()
            relay.network.hiddenLinks = Set(links.suffix(1 + dice.below(3)))
        } else {
            let streams = try relay.streams().sorted { $0.key < $1.key }
            guard let (stream, range) = streams.isEmpty ? nil : streams[dice.below(streams.count)]
            else { return }
            relay.network.withheld[stream] = range.upperBound
        }
    }

    /// Resets a device to its backup, unless it is a keeper: a reset keeper looks like a copy.
    private func putBack(_ device: Device) {
        guard let backup = device.backup, !device.isStolen, device.name.hasPrefix("device"),
            device.sync.machine.map({ $0.circle?.isKeeper($0.memory.peer) != true }) ?? false
        else { return }
        device.keepTold()
        device.keychain.backup = backup
        device.backup = nil
        device.restart(rules)
    }

    private func changeCircle(
        _ kind: Step.Kind,
        _ device: Device,
        _ dice: inout Dice
    ) throws {
        let senior = senior(&dice)
        switch kind {
        case .join:
            if devices.count(where: { !$0.isGone }) < Self.deviceCount {
                try join(keeper: false, approvedBy: senior)
            }
        case .promote:
            guard device.name.hasPrefix("device"), !device.isStolen, let relay = senior.relay else {
                return
            }
            _ = try attempt { () throws(SyncFailure) in
                _ = try senior.sync.promote(device.name, through: relay)
            }
        case .steal: try steal(device)
        case .leave:
            guard device.name.hasPrefix("device"), !device.isStolen, !device.isOffline,
                let relay = device.relay
            else { return }
            device.keepTold()
            if try attempt({ () throws(SyncFailure) in try device.sync.leave(through: relay) }) {
                device.isGone = true
                expected.remove(device.name)
            }
        case .changePaper: try changePaper()
        default: try attack(kind, device, &dice)
        }
    }

    /// Lets attackers steal a device; `ada` removes it, and the devices that it let in.
    private func steal(_ device: Device) throws {
        let ada = devices[0]
        guard device.name.hasPrefix("device"), !device.isStolen, !ada.isOffline,
            let relay = ada.relay, let signer = try device.keychain.signer()
        else { return }
        let keys = device.sync.keys
        let isRemoved = try attempt { () throws(SyncFailure) in
            _ = try ada.sync.remove(device.name, .go, through: relay)
        }
        let removals = ada.sync.machine?.chain.removals ?? [:]
        guard try isRemoved || removals[signer.name()] != nil else { return }
        device.isStolen = true
        device.isGone = true
        expected.remove(device.name)
        try hostile.steal(signer, keys)
    }

    /// Replaces the recovery key, signed by `ada` and the old key, and gives attackers the old key.
    private func changePaper() throws {
        let ada = devices[0]
        guard !ada.isOffline, let relay = ada.relay else { return }
        let (old, new) = (paper, try random.signer())
        let isDone = try attempt { () throws(SyncFailure) in
            try ada.sync.replaceRecoveryKey(new.keys, with: old, through: relay)
        }
        guard isDone else { return }
        paper = new
        try hostile.steal(old, [:])
    }

    // MARK: Attackers

    private func attack(
        _ kind: Step.Kind,
        _ device: Device,
        _ dice: inout Dice
    ) throws {
        let relay = try MemoryRelay(server, try code.accountName())
        switch kind {
        case .hostileLink:
            guard let made = try hostile.link(try judge(relay), random, &dice) else {
                return
            }
            let place = try LinkPlace(number: made.link.link.number, of: made.bytes)
            try relay.put(made.bytes, boxes: made.link.boxes, at: place)
        case .hostileEncoding:
            let chain = try judge(relay)
            guard !chain.knownLinks.isEmpty,
                let link = chain.link(chain.knownLinks[dice.below(chain.knownLinks.count)])
            else { return }
            let bytes = try hostile.encoding(of: link, code, &dice)
            try relay.put(bytes, boxes: nil, at: try LinkPlace(number: link.number, of: bytes))
        case .garbage:
            let bytes = [UInt8](repeating: UInt8(dice.below(256)), count: 200)
            try relay.put(
                bytes,
                boxes: bytes,
                at: try LinkPlace(number: dice.next() >> 2, of: bytes)
            )
            guard let stream = device.sync.machine?.memory.stream,
                let range = try relay.streams()[stream]
            else { return }
            try relay.append(contentsOf: [bytes], to: stream, at: range.upperBound)
        default: return
        }
    }

    /// Returns the places of all links on the relay.
    func links() throws -> [LinkPlace] {
        try MemoryRelay(server, try code.accountName()).links()
    }

    /// Returns the chain that results from all links on the relay.
    func judge(_ relay: MemoryRelay) throws -> CircleChain {
        try judged.add(try read(relay.links().filter { judgedPlaces.insert($0).inserted }, relay))
        return judged
    }
    func everything(_ relay: MemoryRelay) throws -> CircleChain {
        var chain = CircleChain(code)
        try chain.add(try read(relay.links(), relay))
        return chain
    }

    private func read(_ places: [LinkPlace], _ relay: MemoryRelay) throws -> [Link] {
        var links: [Link] = []
        for place in places {
            guard let bytes = try relay.link(at: place),
                let link = try? LinkFormat.open(bytes, code)
            else { continue }
            links.append(link)
        }
        return links
    }
}
