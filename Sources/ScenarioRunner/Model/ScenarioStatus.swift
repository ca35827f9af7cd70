import KeychainModel

/// What an event gives: a status of the keychain, or the code of an `LAError` or a `CocoaError`.
package struct ScenarioStatus: Sendable, Hashable {
    /// Whose numbers they are.
    package enum Domain: Sendable, Hashable { case keychain, authentication, file }

    package let code: Int32
    package let domain: Domain

    package init(_ code: Int32, _ domain: Domain = .keychain) {
        self.code = code
        // Success is the same everywhere.
        self.domain = code == 0 ? .keychain : domain
    }

    package static let success = ScenarioStatus(0)

    /// Nothing went wrong.
    package var isSuccess: Bool { code == 0 }

    /// Apple's name, such as `errSecParam`; the number where there is none.
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

    /// The status of that name; nil if the domain has none.
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
    /// An event with a file that an item's value encrypts can also give
    /// a status of the keychain.
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

/// What an event is expected to give; nil: anything.
package struct Expectation: Sendable, Hashable {
    /// A status under each of the two behaviors.
    package struct Outcomes: Sendable, Hashable {
        package let documented: ScenarioStatus?
        package let appleSource: ScenarioStatus?

        package init(documented: ScenarioStatus?, appleSource: ScenarioStatus?) {
            self.documented = documented
            self.appleSource = appleSource
        }

        /// The same under both.
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

    /// The same on every device.
    package init(_ outcomes: Outcomes) { self.init(device: outcomes, simulator: outcomes) }

    /// What holds for a system under a behavior.
    package func status(
        on system: SystemProfile,
        under behavior: Scenario.BehaviorName
    ) -> ScenarioStatus? {
        (system == .iOSSimulator ? simulator : device).status(under: behavior)
    }
}
