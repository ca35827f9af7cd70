import KeychainModel

/// What an event gives: a status of the keychain, or the code of an `LAError`.
package struct ScenarioStatus: Sendable, Hashable {
    /// Whose numbers they are.
    package enum Domain: Sendable, Hashable { case keychain, authentication }

    package let code: Int32
    package let domain: Domain

    package init(_ code: Int32, _ domain: Domain = .keychain) {
        self.code = code
        self.domain = domain
    }

    package static let success = ScenarioStatus(0)

    /// Nothing went wrong.
    package var isSuccess: Bool { code == 0 }

    /// Apple's name, such as `errSecParam`; the number where there is none.
    package var name: String {
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
        case .keychain:
            guard let row = SecurityStatus.table.first(where: { $0.name == name }) else {
                return nil
            }
            self.init(row.code)
        case .authentication:
            let failure = AuthenticationFailure.allCases.first {
                Self.authenticationPrefix + String(describing: $0) == name
            }
            guard let failure else { return nil }
            self.init(Int32(failure.rawValue), .authentication)
        }
    }

    private static let authenticationPrefix = "LAError."
}

/// What an event is expected to give; nil: anything.
package struct Expectation: Sendable, Hashable {
    package let device: ScenarioStatus?
    package let simulator: ScenarioStatus?

    package static let anything = Expectation(device: nil, simulator: nil)

    /// What holds for a system.
    package func status(on system: SystemProfile) -> ScenarioStatus? {
        system == .iOSSimulator ? simulator : device
    }
}
