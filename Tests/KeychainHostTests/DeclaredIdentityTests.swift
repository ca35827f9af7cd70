import KeychainModel
import TestSupport
import Testing

@testable import KeychainHost

@Suite struct `What a program declares to a simulated device` {
    @Test(arguments: [
        DeclaredIdentity(entitlements: nil, name: "mailer"),
        DeclaredIdentity(entitlements: Entitlements(), name: "mailer"),
        DeclaredIdentity(
            entitlements: Entitlements(
                applicationIdentifier: "TEAMID1234.com.example.app",
                keychainAccessGroups: ["TEAMID1234.shared", "a=b", ""],
                applicationGroups: ["group.com.example"]
            ),
            name: "com.example.app"
        ),
    ])
    func `comes back from its words`(identity: DeclaredIdentity) throws {
        #expect(DeclaredIdentity.isMeant(by: identity.words))
        #expect(try DeclaredIdentity(words: identity.words) == identity)
    }

    @Test(arguments: [
        [], ["lock"], ["declare"], ["declare", "name="], ["declare", "name"],
        ["declare", "shoe=1", "name=x"],
        ["declare", "name=x"] + Array(repeating: "group=y", count: 300),
    ])
    func `is refused where it is none`(words: [String]) {
        let error = #expect(throws: KeychainError.self) { try DeclaredIdentity(words: words) }
        #expect(error?.status == .param)
    }

    @Test func `is its name where it has no entitlements`() throws {
        let environment = ProcessEnvironment(executable: "/opt/none/mailer", variable: { _ in nil })
        let identity = try DeclaredIdentity(of: environment)
        #expect(identity == DeclaredIdentity(entitlements: nil, name: "mailer"))
    }

    @Test func `is refused with the file that cannot be read`() {
        let environment = ProcessEnvironment(executable: "/opt/none/mailer") { name in
            name == "KEYCHAIN_ENTITLEMENTS" ? "/opt/none/x.plist" : nil
        }
        let error = #expect(throws: KeychainError.self) { try DeclaredIdentity(of: environment) }
        #expect(error?.status == .missingEntitlement)
    }
}
