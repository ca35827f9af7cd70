import Foundation
import KeychainServices
import KeychainSimulator
import Synchronization

@testable import Vault

/// Calls of a process that is killed: after a number of calls, none has an effect any more.
final class DyingProcess: Sendable {
    private let limit: Int
    private let made = Mutex(0)

    init(callsLeft limit: Int) { self.limit = limit }

    /// The calls that were made before the end, and those that found the process dead.
    var count: Int { made.withLock { $0 } }

    private var isAlive: Bool {
        made.withLock { made in
            made += 1
            return made <= limit
        }
    }

    /// The keychain as this process reaches it.
    var calls: KeychainCalls {
        let system = KeychainCalls.system
        return KeychainCalls(
            add: { self.isAlive ? system.add($0, $1) : errSecNotAvailable },
            copy: { self.isAlive ? system.copy($0, $1) : errSecNotAvailable },
            update: { self.isAlive ? system.update($0, $1) : errSecNotAvailable },
            delete: { self.isAlive ? system.delete($0) : errSecNotAvailable }
        )
    }
}

/// Calls before one of which the device locks, for instance because its owner presses the button.
func locking(_ device: SimulatedDevice, beforeCall limit: Int) -> KeychainCalls {
    let process = DyingProcess(callsLeft: .max)
    let system = process.calls
    let lock = { @Sendable in if process.count == limit { device.lock() } }
    return KeychainCalls(
        add: {
            lock()
            return system.add($0, $1)
        },
        copy: {
            lock()
            return system.copy($0, $1)
        },
        update: {
            lock()
            return system.update($0, $1)
        },
        delete: {
            lock()
            return system.delete($0)
        }
    )
}

/// Calls of which one item's changes are refused, as by a keychain that is out of order.
func refusing(account: String, with status: OSStatus) -> KeychainCalls {
    let system = KeychainCalls.system
    return KeychainCalls(
        add: { isAbout(account, $0) ? status : system.add($0, $1) },
        copy: system.copy,
        update: { isAbout(account, $0) ? status : system.update($0, $1) },
        delete: { isAbout(account, $0) ? status : system.delete($0) }
    )
}

private func isAbout(_ account: String, _ dictionary: CFDictionary) -> Bool {
    (dictionary as? [String: Any])?[kSecAttrAccount as String] as? String == account
}
