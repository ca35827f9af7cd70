import CoreFoundation
import Foundation
import KeychainAuthentication
import KeychainModel
import KeychainServices
import KeychainSimulator
import Synchronization

// Calls of programs, through the same functions as on a phone.
extension ScenarioEnvironment {
    mutating func perform(_ call: ItemCall, on target: ScenarioDevice) -> Outcome {
        guard let item = item(call.item), let app = target.apps[call.app] else {
            return Outcome(ScenarioStatus(errSecItemNotFound), "the scenario has no such item")
        }
        switch call.function {
        case .add: return add(item, app, call.execution)
        case .read: return app.run(call.execution) { read(item) }
        case .delete:
            return app.run(call.execution) {
                Outcome(ScenarioStatus(SecItemDelete(item.query as CFDictionary)))
            }
        case .update(let value):
            let status = app.run(call.execution) {
                let changes = [kSecValueData as String: Data(value.utf8)]
                return SecItemUpdate(item.query as CFDictionary, changes as CFDictionary)
            }
            if status == errSecSuccess { written[item.name, default: []].insert(value) }
            return Outcome(ScenarioStatus(status))
        }
    }

    private mutating func add(
        _ item: Scenario.ItemSetup,
        _ app: SimulatedApp,
        _ execution: SimulatedApp.Execution
    ) -> Outcome {
        let outcome = app.run(execution) { () -> Outcome in
            var attributes = item.query
            attributes[kSecValueData as String] = Data(item.value.utf8)
            if let requirement = item.requirement {
                var error: Unmanaged<CFError>?
                guard let control = item.accessControl(requirement, &error) else {
                    let reason = error?.takeRetainedValue()
                    let code = reason.map { Int32(CFErrorGetCode($0)) } ?? errSecParam
                    return Outcome(ScenarioStatus(code), reason?.localizedDescription)
                }
                attributes[kSecAttrAccessControl as String] = control
            } else if let accessible = item.accessible {
                attributes[kSecAttrAccessible as String] = accessible.code
            }
            return Outcome(ScenarioStatus(SecItemAdd(attributes as CFDictionary, nil)))
        }
        if outcome.status.isSuccess { written[item.name, default: []].insert(item.value) }
        return outcome
    }

    private func read(_ item: Scenario.ItemSetup) -> Outcome {
        let (status, value) = item.read()
        guard status == errSecSuccess else { return Outcome(ScenarioStatus(status)) }
        guard let value, written[item.name]?.contains(value) == true else {
            return Outcome(ScenarioStatus(errSecDecode), "the value is not what was stored")
        }
        return .success
    }

    func perform(_ call: PolicyCall, on target: ScenarioDevice) -> Outcome {
        guard let app = target.apps[call.app] else { return .success }
        return app.run(call.execution) {
            call.evaluates ? call.evaluate() : call.canEvaluate()
        }
    }
}

extension Scenario.ItemSetup {
    /// A query that identifies the item.
    fileprivate var query: [String: Any] {
        let isInternet = itemClass == .internetPassword
        var query: [String: Any] = [
            kSecClass as String: isInternet
                ? kSecClassInternetPassword : kSecClassGenericPassword,
            (isInternet ? kSecAttrServer : kSecAttrService) as String: service,
            kSecAttrAccount as String: account,
        ]
        if let group { query[kSecAttrAccessGroup as String] = group }
        if isSynchronizable { query[kSecAttrSynchronizable as String] = true }
        return query
    }

    /// Reads the value as the running app.
    func read() -> (status: OSStatus, value: String?) {
        var query = query
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    fileprivate func accessControl(
        _ requirement: AccessControlRequirement,
        _ error: inout Unmanaged<CFError>?
    ) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(
            nil,
            (accessible ?? .whenUnlocked).code as CFString,
            requirement.flags,
            &error
        )
    }
}

/// The reply of an authentication context, which arrives on another thread.
private final class PolicyReply: Sendable {
    private let outcome = Mutex<Outcome?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func give(_ outcome: Outcome) {
        self.outcome.withLock { $0 = outcome }
        done.signal()
    }

    func wait() -> Outcome {
        done.wait()
        return outcome.withLock { $0 } ?? .success
    }
}

extension PolicyCall {
    fileprivate func canEvaluate() -> Outcome {
        var error: NSError?
        let isPossible = LAContext().canEvaluatePolicy(policy, error: &error)
        return isPossible ? .success : Self.outcome(error)
    }

    /// Evaluates the policy, and waits for the reply from another thread.
    fileprivate func evaluate() -> Outcome {
        let reply = PolicyReply()
        let context = LAContext()
        context.evaluatePolicy(policy, localizedReason: "scenario") { success, error in
            reply.give(success ? .success : Self.outcome(error))
        }
        return reply.wait()
    }

    /// Returns the outcome of an error: an `LAError` from a reply, an `NSError` through a pointer.
    private static func outcome(_ error: (any Error)?) -> Outcome {
        let usual = LAError.Code.authenticationFailed.rawValue
        let code = (error as? LAError)?.code.rawValue ?? (error as? NSError)?.code ?? usual
        return Outcome(
            ScenarioStatus(Int32(truncatingIfNeeded: code), .authentication),
            error?.localizedDescription
        )
    }
}
