import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

/// A simulated device with two apps that performs steps.
package struct SimulatedWalk: WalkSubject {
    private let device: SimulatedDevice
    private var apps: [SimulatedApp] = []

    /// Makes a device in memory.
    package init(passcode: String?) throws {
        device = try SimulatedDevice(passcode: passcode)
        install()
    }

    private mutating func install() {
        apps = WalkApps.identifiers.map { identifier in
            device.install(
                .init(bundleIdentifier: identifier, keychainAccessGroups: ["shared"])
            )
        }
    }

    /// Returns the number of faults that a check of the device finds.
    package func faultCount() throws -> Int { try device.engine.check().faultCount }

    package mutating func take(_ step: WalkStep) -> WalkOutcome {
        switch step {
        case .lock(let seconds): device.lock(grace: .seconds(seconds))
        case .reboot: device.reboot()
        case .advance(let seconds): device.advance(by: .seconds(seconds))
        case .erase:
            device.erase()
            install()
        case .unlock(let passcode): return status { try device.unlock(passcode: passcode) }
        case .setPasscode(let new, let current):
            return status { try device.setPasscode(new, current: current) }
        case .removePasscode(let current):
            return status { try device.removePasscode(current: current) }
        case .add(let app, let item): return send(.add(item.dictionary), to: app)
        case .find(let app, let query, let all):
            return send(.copyMatching(query.finding(all: all)), to: app)
        case .update(let app, let query, let change):
            return send(.update(query.dictionary, with: change.dictionary), to: app)
        case .delete(let app, let query): return send(.delete(query.dictionary), to: app)
        }
        return WalkOutcome()
    }

    private func status(_ body: () throws -> Void) -> WalkOutcome {
        do { try body() } catch {
            return WalkOutcome(status: (error as? SimulatorError)?.status ?? -1)
        }
        return WalkOutcome()
    }

    private func send(_ request: ItemRequest, to app: Int) -> WalkOutcome {
        apps[app].run {
            do throws(KeychainError) {
                let reply = try RequestRouter.endpoint().send(request)
                guard case .result(let result) = reply else { return WalkOutcome() }
                return WalkOutcome(found: Self.sentences(result))
            } catch {
                return WalkOutcome(status: error.status.rawValue)
            }
        }
    }

    private static func sentences(_ result: ItemResult) -> [String] {
        switch result {
        case .array(let results): results.flatMap(sentences)
        case .dictionary(let item): [sentence(item)]
        default: []
        }
    }

    private static func sentence(_ item: ItemDictionary) -> String {
        let text = { (attribute: Attribute) in
            switch item.attributes[attribute] {
            case .string(let text)?: text
            case .number(let number)?: "\(number)"
            case .bool(let flag)?: flag ? "1" : "0"
            default: "-"
            }
        }
        let attributes: [Attribute] = [
            .account, .service, .accessGroup, .synchronizable, .accessible, .label,
        ]
        let value = item.data.map {
            String(decoding: $0.secret.copyBytesUnprotected(), as: UTF8.self)
        }
        var pairs = LookupPairs()
        if case .data(let bytes)? = item.attributes[.lookupPairs] {
            pairs = LookupPairs(encoded: bytes) ?? pairs
        }
        let last = [WalkOutcome.text(of: pairs.pairs), value ?? "-"]
        return (attributes.map(text) + last).joined(separator: " / ")
    }
}

// The steps' dictionaries, as an app passes them.
extension WalkItem {
    fileprivate var dictionary: AttributeDictionary {
        var dictionary = AttributeDictionary.genericPassword([
            "acct": account, "svce": service, "agrp": group, "labl": label, "pdmn": accessible,
        ])
        dictionary["sync"] = .bool(isSynchronizable)
        dictionary["v_Data"] = .secret(SimulatedDevice.secret(value))
        if !pairs.isEmpty { dictionary[.lookupPairs] = .pairs(pairs) }
        return dictionary
    }
}

extension WalkQuery {
    fileprivate var dictionary: AttributeDictionary {
        var dictionary = AttributeDictionary.genericPassword([
            "acct": account, "svce": service, "agrp": group,
        ])
        switch synchronizable {
        case .local: break
        case .synchronized: dictionary["sync"] = .bool(true)
        case .any: dictionary["sync"] = .string("syna")
        }
        if !pairs.isEmpty { dictionary[.lookupPairs] = .pairs(pairs) }
        return dictionary
    }

    fileprivate func finding(all: Bool) -> AttributeDictionary {
        var dictionary = dictionary
        dictionary["r_Data"] = .bool(true)
        dictionary["r_Attributes"] = .bool(true)
        if all { dictionary["m_Limit"] = .string("m_LimitAll") }
        return dictionary
    }
}

extension WalkChange {
    fileprivate var dictionary: AttributeDictionary {
        var dictionary: AttributeDictionary = [:]
        dictionary["labl"] = label.map(AttributeValue.string)
        dictionary["pdmn"] = accessible.map(AttributeValue.string)
        dictionary["agrp"] = group.map(AttributeValue.string)
        dictionary["v_Data"] = value.map { .secret(SimulatedDevice.secret($0)) }
        dictionary[.lookupPairs] = pairs.flatMap(AttributeValue.pairs)
        return dictionary
    }
}

extension AttributeValue {
    /// Returns the encoded pairs; nil for pairs that no item can have.
    fileprivate static func pairs(_ pairs: [String: String]) -> AttributeValue? {
        (try? LookupPairs(pairs)).map { .data($0.encoded) }
    }
}

extension AttributeDictionary {
    fileprivate static func genericPassword(_ texts: [String: String?]) -> AttributeDictionary {
        var dictionary: AttributeDictionary = ["class": .string("genp")]
        for (key, text) in texts { dictionary[key] = text.map(AttributeValue.string) }
        return dictionary
    }
}
