/// Who stands in front of a simulated device, and how they answer it.
public struct SimulatedUser: Sendable, Hashable {
    /// Whose face or finger is presented; nil: none.
    public var biometric: String?
    /// What is typed when a passcode is asked for; nil: nothing.
    public var passcode: String?
    /// What is typed when an application password is asked for; nil: nothing.
    public var applicationPassword: String?
    /// Whether Cancel is tapped on every prompt.
    public var cancels: Bool
    /// Whether a paired device is nearby, on which every prompt is confirmed.
    public var hasCompanion: Bool

    /// Somebody who presents and types what is given.
    public init(
        biometric: String? = nil,
        passcode: String? = nil,
        applicationPassword: String? = nil,
        cancels: Bool = false,
        hasCompanion: Bool = false
    ) {
        self.biometric = biometric
        self.passcode = passcode
        self.applicationPassword = applicationPassword
        self.cancels = cancels
        self.hasCompanion = hasCompanion
    }

    /// The enrolled owner, who knows the passcode that a device has by default.
    public static let owner = SimulatedUser(biometric: "owner", passcode: "0000")

    /// What this person does about a prompt.
    func response(to kind: PromptRecord.Kind) -> PromptResponse {
        guard !cancels else { return .cancel }
        return switch kind {
        case .biometry: biometric.map(PromptResponse.present) ?? .ignore
        case .passcode: passcode.map(PromptResponse.type) ?? .ignore
        case .companion: hasCompanion ? .approve : .ignore
        case .applicationPassword, .newApplicationPassword:
            applicationPassword.map(PromptResponse.type) ?? .ignore
        }
    }
}
