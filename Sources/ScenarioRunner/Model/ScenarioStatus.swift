import KeychainModel

/// The result of an event: a status, or the code of an `LAError` or a `CocoaError`.
package struct ScenarioStatus: Sendable, Hashable {
    /// The set of numbers to which a code belongs.
    package enum Domain: Sendable, Hashable { case keychain, authentication, file }

    package let code: Int32
    package let domain: Domain

    package init(_ code: Int32, _ domain: Domain = .keychain) {
        self.code = code
        // Success is the same in every domain.
        self.domain = code == 0 ? .keychain : domain
    }

    package static let success = ScenarioStatus(0)

    /// Whether the event succeeded.
    package var isSuccess: Bool { code == 0 }

    /// Apple's name, such as `errSecParam`; the number if it has none.
    package var name: String {
        if domain == .file, let row = Self.fileErrors.first(where: { $0.code == code }) {
            return row.name
        }
        guard domain == .authentication, !isSuccess else {
            return SecurityStatus.name(of: SecurityStatus(rawValue: code)) ?? String(code)
        }
        let failure = AuthenticationFailure(rawValue: Int(code))
        return failure.map { Self.authenticationPrefix + String(describing: $0) } ?? String(code)
    }

    /// Finds the status with a name; nil if the domain has none.
    package init?(name: String, in domain: Domain) {
        let success = ScenarioStatus(0, domain)
        switch domain {
        case _ where name == success.name: self = success
        case .file where Self.fileErrors.contains { $0.name == name }:
            let row = Self.fileErrors.first { $0.name == name }
            self.init(row?.code ?? 0, .file)
        case .keychain, .file:
            guard let row = SecurityStatus.table.first(where: { $0.name == name }) else {
                return nil
            }
            self.init(row.code, domain)
        case .authentication:
            let failure = AuthenticationFailure.allCases.first {
                Self.authenticationPrefix + String(describing: $0) == name
            }
            guard let failure else { return nil }
            self.init(Int32(failure.rawValue), .authentication)
        }
    }

    private static let authenticationPrefix = "LAError."

    /// The errors of file events.
    ///
    /// If an item's value encrypts the file, an event can also result in a status of the keychain.
    private static let fileErrors: [(code: Int32, name: String)] = [
        (4, "CocoaError.fileNoSuchFile"),
        (255, "CocoaError.fileLocking"),
        (256, "CocoaError.fileReadUnknown"),
        (257, "CocoaError.fileReadNoPermission"),
        (259, "CocoaError.fileReadCorruptFile"),
        (260, "CocoaError.fileReadNoSuchFile"),
        (512, "CocoaError.fileWriteUnknown"),
        (513, "CocoaError.fileWriteNoPermission"),
    ]
}

/// The expected result of an event, under each behavior and on each kind of device.
package struct Expectation: Sendable, Hashable {
    /// The expected status under each of the two behaviors; nil accepts any.
    package struct Outcomes: Sendable, Hashable {
        package let documented: ScenarioStatus?
        package let appleSource: ScenarioStatus?

        package init(documented: ScenarioStatus?, appleSource: ScenarioStatus?) {
            self.documented = documented
            self.appleSource = appleSource
        }

        /// Expects the same status under both behaviors.
        package init(_ status: ScenarioStatus?) {
            self.init(documented: status, appleSource: status)
        }

        package func status(under behavior: Scenario.BehaviorName) -> ScenarioStatus? {
            switch behavior {
            case .documented: documented
            case .appleSource: appleSource
            }
        }
    }

    package let device: Outcomes
    package let simulator: Outcomes

    package init(device: Outcomes, simulator: Outcomes) {
        self.device = device
        self.simulator = simulator
    }

    /// Expects the same outcomes on a device and on the Simulator.
    package init(_ outcomes: Outcomes) { self.init(device: outcomes, simulator: outcomes) }

    /// Returns the expected status on a system under a behavior; nil accepts any.
    package func status(
        on system: SystemProfile,
        under behavior: Scenario.BehaviorName
    ) -> ScenarioStatus? {
        (system == .iOSSimulator ? simulator : device).status(under: behavior)
    }
}
