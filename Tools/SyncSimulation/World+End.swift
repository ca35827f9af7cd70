import KeychainSync
import KeychainSyncDriver
import SyncRelay

extension World {
    /// Brings all devices online, shows them everything, and checks all promises.
    ///
    /// - Returns: The number of members.
    func finish() throws -> Int {
        for device in devices {
            device.isOffline = false
            device.relay?.network.isOffline = false
            device.relay?.network.hiddenLinks = []
            device.relay?.network.withheld = [:]
            device.keychain.killsAfter = nil
        }
        time += 8 * 3600
        try settle()
        // A keeper may have been away while a device left or was stolen.
        try editTogether()
        try settle()
        let members = honest.filter { expected.contains($0.name) }
        try checkChains(of: members)
        try checkItems(of: members)
        let relay = try MemoryRelay(server, try code.accountName())
        try hostile.openBoxes(relay, code)
        for device in members {
            if let machine = device.sync.machine {
                try hostile.check(secrecyOf: machine, of: device.name)
            }
        }
        return members.count
    }

    /// Lets the devices make passes until none has changes to send.
    private func editTogether() throws {
        time = max(time, honest.map(\.keychain.now).max() ?? time) + 1
        for (number, device) in honest.enumerated() {
            device.keychain.now = time
            let value = [1, UInt8(number), UInt8(truncatingIfNeeded: seed)]
            try device.keychain.edit(items[0], value)
        }
    }
    private func settle() throws {
        var quiet = 0
        for _ in 0..<60 {
            let relay = try MemoryRelay(server, try code.accountName())
            let before = (try relay.streams(), try relay.links())
            for device in honest { try pass(device) }
            let after = (try relay.streams(), try relay.links())
            quiet = before == after ? quiet + 1 : 0
            if quiet == 2 { return }
        }
        throw Violation(.quiescence, "it does not end")
    }

    private func checkChains(of members: [Device]) throws {
        let relay = try MemoryRelay(server, try code.accountName())
        let judged = try everything(relay)
        for device in members {
            guard let machine = device.sync.machine, let circle = machine.circle else {
                throw Violation(.circle, "\(device.name) knows no circle")
            }
            guard machine.chain.head?.link.digest == judged.head?.link.digest else {
                throw Violation(.circle, "\(device.name) follows another chain; \(device.failure)")
            }
            let names = Set(circle.members.values.map(\.deviceName))
            guard names == expected else {
                throw Violation(
                    .removal,
                    "\(names.sorted()) are in the circle, and not \(expected.sorted())"
                )
            }
            guard machine.memory.keys.contains(circle.keyName) else {
                throw Violation(.keys, "\(device.name) lacks the key in force")
            }
        }
    }

    private func checkItems(of members: [Device]) throws {
        for item in items {
            let values = Set(members.map { $0.keychain.value(of: item) })
            guard values.count == 1 else {
                throw Violation(
                    .convergence,
                    "devices have \(values.count) values of an item; "
                        + members.map {
                            let known = $0.sync.machine?.memory.versions[item]
                            let stamp = known.map { "\($0.mark.version.stamp)" } ?? "-"
                            let place = known?.source.map { "\($0.number)" } ?? "-"
                            return "\($0.name) \($0.failure) \(stamp) from \(place)"
                        }.joined(separator: "; ")
                )
            }
            // Versions that only a stolen device had may be lost when a senior removes it.
            let witnesses = devices.filter { !$0.isStolen }
            guard let least = witnesses.compactMap({ $0.kept[item] }).max() else { continue }
            for device in members {
                let version = device.sync.machine?.memory.versions[item]?.mark.version
                guard let version, version >= least else {
                    let had = witnesses.first { $0.kept[item] == least }?.name ?? "-"
                    throw Violation(.nothingLost, "\(device.name) lacks what \(had) had")
                }
            }
        }
    }
}
