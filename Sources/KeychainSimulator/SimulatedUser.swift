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

    /// Somebody who presents and types what is given.
    public init(
        biometric: String? = nil,
        passcode: String? = nil,
        applicationPassword: String? = nil,
        cancels: Bool = false
    ) {
        self.biometric = biometric
        self.passcode = passcode
        self.applicationPassword = applicationPassword
        self.cancels = cancels
    }

    /// The enrolled owner, who knows the passcode that a device has by default.
    public static let owner = SimulatedUser(biometric: "owner", passcode: "0000")
}
