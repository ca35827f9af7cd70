import EngineTestSupport
import Glibc
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@Suite struct `The profile of this machine's keychain` {
    @Test(arguments: [
        (nil, BehaviorProfile.appleSource),
        ("documented", .documented),
        ("appleSource", .appleSource),
        ("", .appleSource),
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

    @Test(arguments: ["something else", "Documented", "documented ", "apple-source"])
    func `is refused under a name that no profile has`(name: String) throws {
        let home = try TestHome()
        let place = home.root + "/keychain"
        let environment = ProcessEnvironment(executable: "/bin/program") { variable in
            ["KEYCHAIN_BEHAVIOR": name, "KEYCHAIN_HOME": place][variable]
        }
        #expect {
            try EmbeddedKeychain.open(try KeychainHome(environment), environment)
        } throws: { error in
            (error as? KeychainError)?.status == .param && "\(error)".contains("'\(name)'")
        }
        #expect(access(place, F_OK) != 0)
    }
}
