import Cryptography

// Random steps with few different values, so that calls concern the same items.
extension WalkStep {
    package static let passcodes = ["0000", "1111"]
    private static let classes = ["ak", "ak", "ck", "dk", "aku", "cku", "dku", "akpu"]

    private static let pairs = [
        [:], ["user": "ada"], ["kind": "note"], ["user": "ada", "kind": "note"],
    ]

    /// Returns the next step of a walk; `number` makes its values unique.
    package static func random(number: Int, _ random: inout SeededNumbers) -> WalkStep {
        let app = random.next(below: 2)
        func query() -> WalkQuery { Self.query(app, number, &random) }
        switch random.next(below: 20) {
        case 0...5: return .add(app: app, item(app, number, &random))
        case 6...9: return .find(app: app, query(), all: random.next(below: 2) == 0)
        case 10...12: return .update(app: app, query(), change(app, number, &random))
        case 13, 14: return .delete(app: app, query())
        default: return event(&random)
        }
    }

    private static func event(_ random: inout SeededNumbers) -> WalkStep {
        let passcode = random.pick(passcodes)
        switch random.next(below: 24) {
        case 0...4: return .lock(graceSeconds: random.pick([0, 0, 10, 60]))
        case 5...12: return .unlock(passcode: passcode)
        case 13, 14: return .unlock(passcode: "wrong")
        case 15, 16: return .reboot
        case 17...19: return .advance(seconds: random.pick([1, 9, 60, 300, 3600]))
        case 20, 21:
            let current = random.pick([nil, "wrong"] + passcodes + passcodes)
            return .setPasscode(random.pick(passcodes), current: current)
        case 22: return .removePasscode(current: random.pick(["wrong"] + passcodes + passcodes))
        default: return random.next(below: 4) == 0 ? .erase : .lock(graceSeconds: 0)
        }
    }

    private static func item(
        _ app: Int,
        _ number: Int,
        _ random: inout SeededNumbers
    ) -> WalkItem {
        WalkItem(
            account: random.pick(["ada", "bob"]),
            service: random.pick(["mail", "web"]),
            group: random.pick(groups(app)),
            isSynchronizable: random.next(below: 3) == 0,
            accessible: random.pick(classes),
            label: random.pick([nil, "label \(number)"]),
            value: "value \(number)",
            pairs: pairs[number % pairs.count]
        )
    }

    private static func query(
        _ app: Int,
        _ number: Int,
        _ random: inout SeededNumbers
    ) -> WalkQuery {
        WalkQuery(
            account: random.pick([nil, "ada", "ada", "bob"]),
            service: random.pick([nil, "mail", "mail", "web"]),
            group: random.pick(groups(app)),
            synchronizable: random.pick([.local, .local, .synchronized, .any, .any]),
            pairs: number.isMultiple(of: 3) ? pairs[number / 3 % pairs.count] : [:]
        )
    }

    private static func change(
        _ app: Int,
        _ number: Int,
        _ random: inout SeededNumbers
    ) -> WalkChange {
        var change = plainChange(app, number, &random)
        if number.isMultiple(of: 5) { change.pairs = pairs[number / 5 % pairs.count] }
        return change
    }

    private static func plainChange(
        _ app: Int,
        _ number: Int,
        _ random: inout SeededNumbers
    ) -> WalkChange {
        switch random.next(below: 6) {
        case 0, 1: WalkChange(value: "changed \(number)")
        case 2: WalkChange(label: "relabelled \(number)")
        case 3: WalkChange(accessible: random.pick(classes))
        case 4: WalkChange(group: random.pick(WalkApps.groups(of: app)))
        default: WalkChange(value: "changed \(number)", label: "relabelled \(number)")
        }
    }

    /// Returns the possible groups: mostly the app's own, sometimes the other app's, which is
    /// refused.
    private static func groups(_ app: Int) -> [String?] {
        [nil, nil, nil, WalkApps.shared, WalkApps.shared]
            + [WalkApps.own(app), WalkApps.own(app), WalkApps.own(1 - app)]
    }
}
