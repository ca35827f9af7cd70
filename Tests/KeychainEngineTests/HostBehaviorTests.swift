import KeychainHost
import KeychainModel
import TestSupport
import Testing

@Suite struct `The profile of this machine's keychain` {
    @Test(arguments: [
        (nil, HostBehavior.standard),
        ("documented", .documented),
        ("appleSource", .appleSource),
        ("something else", HostBehavior.standard),
    ])
    func `is the one that the environment names`(value: String?, profile: BehaviorProfile) {
        let environment = ProcessEnvironment(executable: "/bin/program") { name in
            name == "KEYCHAIN_BEHAVIOR" ? value : nil
        }
        #expect(HostBehavior.profile(environment) == profile)
    }

    @Test func `differs from the documentation in one outcome`() {
        var profile = BehaviorProfile.documented
        #expect(HostBehavior.standard != profile)
        profile.synchronizableThisDeviceOnly = .allow
        #expect(HostBehavior.standard == profile)
    }
}
