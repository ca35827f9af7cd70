/// The person in front of a simulated device, with their answers to its prompts.
///
/// ```swift
/// phone.user = SimulatedUser(biometric: "stranger", cancels: true)
/// ```
public struct SimulatedUser: Sendable, Hashable {
    /// The face or finger that the person presents; nil for none.
    public var biometric: String?
    /// The text that the person types as a passcode; nil for nothing.
    public var passcode: String?
    /// The text that the person types as an application password; nil for nothing.
    public var applicationPassword: String?
    /// Whether the person taps Cancel on every prompt.
    public var cancels: Bool
    /// Whether a paired device is nearby, on which the person confirms every prompt.
    public var hasCompanion: Bool

    /// Creates a person who presents and types the given values.
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

    /// The enrolled owner, who knows the default passcode `0000`.
    public static let owner = SimulatedUser(biometric: "owner", passcode: "0000")

    /// Returns the person's response to a prompt.
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
