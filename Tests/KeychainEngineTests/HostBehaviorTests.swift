import KeychainHost
import KeychainModel
import TestSupport
import Testing

@Suite struct `The profile of this machine's keychain` {
    @Test(arguments: [
        (nil, BehaviorProfile.appleSource),
        ("documented", .documented),
        ("appleSource", .appleSource),
        ("something else", .appleSource),
    ])
    func `is Apple's source unless the environment names another`(
        value: String?,
        profile: BehaviorProfile
    ) {
        let environment = ProcessEnvironment(executable: "/bin/program") { name in
            name == "KEYCHAIN_BEHAVIOR" ? value : nil
        }
        #expect(HostBehavior.profile(environment) == profile)
    }
}
