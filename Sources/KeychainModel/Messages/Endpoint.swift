/// Where requests go: a simulated device, a daemon, or a keychain in this process.
package protocol Endpoint: Sendable {
    /// The profiles that calls outside a request, such as making an access control, follow.
    var profiles: Profiles { get }

    /// Carries out a request for the program that the endpoint stands for.
    func send(_ request: Request) throws(KeychainError) -> Reply

    /// Takes a finding that was made in front of the keychain.
    func note(_ finding: Finding)
}
