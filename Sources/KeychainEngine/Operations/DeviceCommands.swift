import DataProtection
import KeychainModel
import Secrets

// What a person does with the device: lock, unlock, passcode, and a look at its state.
//
// Source: requirements ACC-04 to ACC-06, SIM-08 to SIM-10, OPS-03, OPS-06.
extension EngineState {
    mutating func perform(
        _ command: DeviceCommand,
        for caller: Caller
    ) throws(KeychainError) -> Reply {
        switch command {
        case .status: return .status(try status(for: caller))
        case .lock: try lock(grace: .zero)
        case .unlock(let passcode): try unlock(passcode: passcode)
        case .setPasscode(let new, let current): try setPasscode(new, current: current)
        case .removePasscode(let current): try removePasscode(current: current)
        case .setLockSettings(let settings): try setLockSettings(settings)
        }
        return .changed(warnings: takeWarnings())
    }

    /// Learns which fingers a reader knows, before the passcode leaves a token for them.
    func adoptEnrolments() throws(KeychainError) {
        let surroundings = environment.surroundings()
        guard surroundings.biometry != .none else { return }
        try visit { () throws(DeviceError) in try surroundings.adopt(by: device) }
    }

    private mutating func takeWarnings() -> [KeychainError] {
        defer { warnings = [] }
        return warnings + device.takeWarnings().map(KeychainError.init)
    }

    /// Locks: the keys of this process first, then for the others.
    mutating func lock(grace: Duration) throws(KeychainError) {
        defer { closeUnavailable() }
        announcements += try visit { () throws(DeviceError) in
            try device.lock(grace: grace, at: environment.instant())
        }
    }

    private mutating func setLockSettings(_ settings: LockSettings) throws(KeychainError) {
        announcements += try visit { () throws(DeviceError) in
            try device.setLockSettings(settings, at: environment.instant())
        }
    }

    mutating func unlock(passcode: SharedSecret) throws(KeychainError) {
        try adoptEnrolments()
        announcements += try visit { () throws(DeviceError) in
            try device.unlock(passcode: passcode.secret, at: environment.instant())
        }
        closeUnavailable()
    }

    /// Destroys the class key first, then the rows that it alone could open.
    mutating func removePasscode(current: SharedSecret) throws(KeychainError) {
        try inTransaction { state throws(KeychainError) in
            let instant = state.environment.instant()
            state.announcements += try visit { () throws(DeviceError) in
                try state.device.removePasscode(current: current.secret, at: instant)
            }
            let count = try state.removePasscodeItems()
            if count > 0 { state.warnings.append(.itemsEnded(count)) }
        }
        store.forgetEarlierValues()
        closeUnavailable()
    }

    /// Removes the rows of the class that exists only with a passcode.
    ///
    /// - Returns: How many items there were.
    @discardableResult
    mutating func removePasscodeItems() throws(KeychainError) -> Int {
        let changes = try visit { () throws(StoreError) in
            try store.removeAll(in: .whenPasscodeSetThisDeviceOnly)
        }
        for change in changes { try note(change) }
        return changes.count
    }

    private func status(for caller: Caller) throws(KeychainError) -> DeviceStatus {
        let attempts = try visit { () throws(DeviceError) in
            try device.attemptStatus(at: environment.instant())
        }
        return DeviceStatus(
            lockState: .init(device.state.lockState),
            isProtectedDataAvailable: device.isProtectedDataAvailable,
            isPasscodeSet: device.isPasscodeSet,
            failedAttempts: Int(attempts.failures),
            delaySeconds: attempts.delayRemaining / .seconds(1),
            secureElement: device.elementKind,
            location: store.location,
            accessGroups: caller.accessGroups,
            defaultAccessGroup: caller.defaultGroup,
            itemCounts: try itemCounts(for: caller),
            memoryIsLocked: SecretArena.shared.usage.isLocked,
            guessCost: device.guessCost.map {
                .init(memoryKiB: Int($0.memoryKiB), passes: Int($0.passes))
            },
            lockSettings: device.lockSettings
        )
    }

    private func itemCounts(for caller: Caller) throws(KeychainError) -> [ItemClass: Int] {
        let scope = GroupScope.matching(
            groups: caller.accessGroups.filter { !$0.hasSuffix("*") },
            prefixes: caller.wildcardPrefixes
        )
        var counts: [ItemClass: Int] = [:]
        for itemClass in ItemClass.stored {
            var selection = Selection(itemClass: itemClass)
            selection.synchronizable = .any
            let filter = try filter(for: selection, in: scope)
            counts[itemClass] = try visit { () throws(StoreError) in try store.count(filter) }
        }
        return counts
    }
}

extension DeviceStatus.LockState {
    init(_ state: LockState) {
        switch state {
        case .beforeFirstUnlock: self = .beforeFirstUnlock
        case .locked: self = .locked
        case .unlocked: self = .unlocked
        }
    }
}

extension KeychainError {
    /// The end of items with their passcode.
    fileprivate static func itemsEnded(_ count: Int) -> KeychainError {
        let items = count == 1 ? "1 item" : "\(count) items"
        let reason = "removing the passcode deleted \(items) of WhenPasscodeSetThisDeviceOnly"
        return KeychainError(.itemNotFound, reason)
    }
}
