/// The specified behavior of a device and its keychain, written as plainly as possible: an array of
/// items, a lock state, and a counter of wrong passcodes.
///
/// It has no keys, files or clock.
///
/// It follows the documented outcomes. Optimizations belong in the real keychain.
package struct ReferenceKeychain: WalkSubject {
    private struct Item {
        var account: String
        var service: String
        var group: String
        var isSynchronizable: Bool
        var accessible: String
        var label: String?
        var value: String
        var pairs: [String: String]
        /// Whether the item was deleted, and is remembered for the owner's other devices.
        var isTombstone = false

        func hasKey(of other: Item) -> Bool {
            account == other.account && service == other.service && group == other.group
                && isSynchronizable == other.isSynchronizable
        }
    }

    private enum Lock { case beforeFirstUnlock, locked, grace(until: Int), unlocked }

    private struct Refusal: Error { let status: Int32 }

    private var items: [Item] = []
    private var passcode: String?
    private var lock = Lock.unlocked
    /// Seconds since the device started.
    private var uptime = 0
    private var failures = 0
    private var delayStart = 0

    package init(passcode: String?) { self.passcode = passcode }

    package mutating func take(_ step: WalkStep) -> WalkOutcome {
        let before = items
        do throws(Refusal) {
            return WalkOutcome(found: try found(by: step))
        } catch {
            items = before
            return WalkOutcome(status: error.status)
        }
    }

    private mutating func found(by step: WalkStep) throws(Refusal) -> [String] {
        switch step {
        case .lock(let grace): lockUp(after: grace)
        case .unlock(let passcode): if self.passcode != nil { try attempt(passcode) }
        case .reboot: reboot()
        case .advance(let seconds): pass(seconds)
        case .setPasscode(let new, let current): try setPasscode(new, current)
        case .removePasscode(let current): try removePasscode(current)
        case .erase: self = ReferenceKeychain(passcode: nil)
        case .add(let app, let item): try add(item, by: app)
        case .find(let app, let query, let all): return try find(query, all, by: app)
        case .update(let app, let query, let change): try update(query, change, by: app)
        case .delete(let app, let query): try delete(query, by: app)
        }
        return []
    }
}

// The device's part.
extension ReferenceKeychain {
    private mutating func lockUp(after grace: Int) {
        guard passcode != nil else { return }
        switch lock {
        case .beforeFirstUnlock, .locked: return
        case .unlocked: lock = grace > 0 ? .grace(until: uptime + grace) : .locked
        case .grace(let until):
            lock = grace > 0 ? .grace(until: min(until, uptime + grace)) : .locked
        }
    }

    private mutating func pass(_ seconds: Int) {
        uptime += seconds
        if case .grace(let until) = lock, uptime >= until { lock = .locked }
    }

    private mutating func reboot() {
        uptime = 0
        delayStart = 0
        if passcode != nil { lock = .beforeFirstUnlock }
    }

    /// Tries a passcode; after the fifth wrong one in a row, each further one has to wait.
    private mutating func attempt(_ tried: String) throws(Refusal) {
        let delays = [5: 60, 6: 300, 7: 900, 8: 900]
        let delay = failures < 5 ? 0 : delays[failures] ?? 3600
        guard uptime - delayStart >= delay else { throw Refusal(status: -25293) }
        guard tried == passcode else {
            failures += 1
            delayStart = uptime
            throw Refusal(status: -25293)
        }
        failures = 0
        lock = .unlocked
    }

    private mutating func setPasscode(_ new: String, _ current: String?) throws(Refusal) {
        if passcode != nil {
            guard let current else { throw Refusal(status: -25293) }
            try attempt(current)
        }
        passcode = new
    }

    private mutating func removePasscode(_ current: String) throws(Refusal) {
        guard passcode != nil else { throw Refusal(status: -25293) }
        try attempt(current)
        passcode = nil
        items.removeAll { $0.accessible == "akpu" }
    }

    private func isOpen(_ accessible: String) -> Bool {
        if accessible == "akpu", passcode == nil { return false }
        switch (accessible.prefix(1), lock) {
        case ("d", _), (_, .unlocked), (_, .grace): return true
        case ("c", .locked): return true
        default: return false
        }
    }

    private func requireOpen(_ accessible: String) throws(Refusal) {
        if isOpen(accessible) { return }
        throw Refusal(status: accessible == "akpu" && passcode == nil ? -25293 : -25308)
    }
}

// The keychain's part.
extension ReferenceKeychain {
    /// Returns the named group if the app has it, or else the app's default group.
    private func group(_ named: String?, by app: Int) throws(Refusal) -> String {
        let groups = WalkApps.groups(of: app)
        guard let named else { return groups[0] }
        guard groups.contains(named) else { throw Refusal(status: -34018) }
        return named
    }

    private mutating func add(_ new: WalkItem, by app: Int) throws(Refusal) {
        if new.isSynchronizable, new.accessible.hasSuffix("u") { throw Refusal(status: -50) }
        let item = Item(
            account: new.account,
            service: new.service,
            group: try group(new.group, by: app),
            isSynchronizable: new.isSynchronizable,
            accessible: new.accessible,
            label: new.label,
            value: new.value,
            pairs: new.pairs
        )
        try requireOpen(item.accessible)
        guard let place = items.firstIndex(where: { $0.hasKey(of: item) }) else {
            return items.append(item)
        }
        guard items[place].isTombstone else { throw Refusal(status: -25299) }
        items[place] = item
    }

    private func matches(_ query: WalkQuery, by app: Int) throws(Refusal) -> [Int] {
        if query.group != nil { _ = try group(query.group, by: app) }
        let groups = query.group.map { [$0] } ?? WalkApps.groups(of: app)
        return items.indices.filter { index in
            let item = items[index]
            let isOfKind =
                switch query.synchronizable {
                case .local: !item.isSynchronizable
                case .synchronized: item.isSynchronizable
                case .any: true
                }
            return isOfKind && !item.isTombstone && groups.contains(item.group)
                && query.account.map { $0 == item.account } ?? true
                && query.service.map { $0 == item.service } ?? true
                && query.pairs.allSatisfy { item.pairs[$0.key] == $0.value }
        }
    }

    private func find(
        _ query: WalkQuery,
        _ all: Bool,
        by app: Int
    ) throws(Refusal) -> [String] {
        let places = try matches(query, by: app).prefix(all ? .max : 1)
        guard !places.isEmpty else { throw Refusal(status: -25300) }
        for place in places where !isOpen(items[place].accessible) {
            throw Refusal(status: -25308)
        }
        return places.map { place in
            let item = items[place]
            return [
                item.account, item.service, item.group, item.isSynchronizable ? "1" : "0",
                item.accessible, item.label ?? "-", WalkOutcome.text(of: item.pairs), item.value,
            ].joined(separator: " / ")
        }
    }

    /// Updates all matches or none; after a refusal, the caller restores the earlier state.
    private mutating func update(
        _ query: WalkQuery,
        _ change: WalkChange,
        by app: Int
    ) throws(Refusal) {
        if change.group != nil { _ = try group(change.group, by: app) }
        let places = try matches(query, by: app)
        guard !places.isEmpty else { throw Refusal(status: -25300) }
        var vacated: [Item] = []
        var buried: Set<Int> = []
        for place in places {
            let old = items[place]
            guard isOpen(old.accessible) else { throw Refusal(status: -25308) }
            var new = old
            new.value = change.value ?? old.value
            new.label = change.label ?? old.label
            new.pairs = change.pairs ?? old.pairs
            new.accessible = change.accessible ?? old.accessible
            new.group = change.group ?? old.group
            if change.accessible != nil, new.isSynchronizable, new.accessible.hasSuffix("u") {
                throw Refusal(status: -50)
            }
            try requireOpen(new.accessible)
            if new.group != old.group {
                if let other = items.firstIndex(where: { $0.hasKey(of: new) }) {
                    guard items[other].isTombstone else { throw Refusal(status: -25299) }
                    buried.insert(other)
                    items[other].account = "gone"
                }
                if old.isSynchronizable { vacated.append(old) }
            }
            items[place] = new
        }
        items = items.indices.filter { !buried.contains($0) }.map { items[$0] }
        for old in vacated { leaveTombstone(old) }
    }

    private mutating func leaveTombstone(_ old: Item) {
        var tombstone = old
        tombstone.isTombstone = true
        items.append(tombstone)
    }

    /// Deletes items in every lock state; only items that open leave a tombstone.
    private mutating func delete(_ query: WalkQuery, by app: Int) throws(Refusal) {
        let places = try matches(query, by: app)
        guard !places.isEmpty else { throw Refusal(status: -25300) }
        for place in places.reversed() {
            if items[place].isSynchronizable, isOpen(items[place].accessible) {
                items[place].isTombstone = true
            } else {
                items.remove(at: place)
            }
        }
    }
}
