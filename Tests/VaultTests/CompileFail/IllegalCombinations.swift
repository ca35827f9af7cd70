// What must not compile. The compiler itself checks this file: it compares its errors with the
// comments, so a combination that becomes legal by mistake is an error, too.
import Foundation
import Vault

func protections() {
    // An accessibility beside an access control: there is one argument for both.
    // expected-error@+2 {{extra argument 'constraint' in call}}
    // expected-error@+1 {{cannot infer contextual base in reference to member 'userPresence'}}
    _ = Password(service: "a", account: "b", protection: .whenUnlocked, constraint: .userPresence)
    // A synchronized item that never leaves the device.
    // expected-error@+1 {{type 'Protection.SyncedAvailability' has no member 'whenUnlockedThisDe}}
    _ = Protection.synced(.whenUnlockedThisDeviceOnly)
    // expected-error@+1 {{type 'Protection.SyncedAvailability' has no member 'whenPasscodeSetThi}}
    _ = Protection.synced(.whenPasscodeSetThisDeviceOnly)
    // A synchronized item with a constraint.
    // expected-error@+2 {{extra argument 'requiring' in call}}
    // expected-error@+1 {{cannot infer contextual base in reference to member 'userPresence'}}
    _ = Protection.synced(.whenUnlocked, requiring: .userPresence)
    // expected-error@+1 {{type 'Protection.Availability' has no member 'synced'}}
    _ = Protection.requiring(.userPresence, .synced())
    // A constraint of two operators.
    // expected-error@+1 {{enum case 'biometryAndPasscode' cannot be used as an instance member}}
    _ = Protection.requiring(.biometryOrPasscode(.any).biometryAndPasscode(.any))
    // A protection that says nothing.
    // expected-error@+1 {{missing argument for parameter 'from' in call}}
    _ = Protection()
}

func items() {
    // A web login without a server, a password without a service.
    // expected-error@+1 {{missing argument for parameter 'server' in call}}
    _ = WebLogin(account: "ada")
    // expected-error@+1 {{missing argument for parameter 'service' in call}}
    _ = Password(account: "ada")
    // An attribute of another kind.
    // expected-error@+1 {{extra argument 'port' in call}}
    _ = Password(service: "a", account: "b", port: 443)
    // A key of RSA in the Secure Enclave, of an odd size, or one that leaves the Secure Enclave.
    // expected-error@+2 {{extra argument 'kind' in call}}
    // expected-error@+1 {{cannot infer contextual base in reference to member 'rsa2048'}}
    _ = Key.inSecureEnclave(tag: "a", kind: .rsa2048)
    // expected-error@+1 {{type 'Key.Kind' has no member 'rsa'}}
    _ = Key(tag: "a", kind: .rsa(1000))
    // expected-error@+1 {{type 'Key.EnclaveAvailability' has no member 'afterFirstUnlockThisDevi}}
    _ = Key.inSecureEnclave(tag: "a", availability: .afterFirstUnlockThisDeviceOnly)
}

func queries(_ vault: Vault) throws(VaultError) {
    // expected-error@+1 {{extra argument 'server' in call}}
    _ = try vault.list(.passwords(server: "example.com"))
    // expected-error@+1 {{extra argument 'service' in call}}
    _ = try vault.list(.webLogins(service: "api"))
    // A key is not read like a password.
    // expected-error@+1 {{instance method 'data' requires that 'Key' conform to 'SecretItem'}}
    _ = try vault.data(Key(tag: "a", kind: .p256))
}

func secrets(_ vault: Vault) throws {
    let item = Password(service: "a", account: "b")
    guard let secret = try vault.secret(item) else { return }
    // A secret is not copied, so not printed either, and not encoded.
    // expected-error@+1 {{argument type 'Secret' does not conform to expected type 'Copyable'}}
    print(secret)
    // expected-error@+1 {{instance method 'encode' requires that 'Secret' conform to 'Encodable'}}
    _ = try JSONEncoder().encode(secret)
}

// expected-note@+1 {{add 'async' to function 'prompts' to make it asynchronous}}
func prompts(_ vault: Vault) throws(VaultError) {
    let item = Password(service: "a", account: "b", protection: .requiring(.userPresence))
    // Whoever may prompt waits.
    // expected-error@+1 {{'async' call in a function that does not support concurrency}}
    _ = try vault.data(item, approval: Approval(reason: "Open"))
}

struct Account {
    @Stored(service: "a", account: "b") var token: Reading<String>

    // A property has no optional that hides a lock, and no assignment that hides a failure.
    // expected-error@+1 {{cannot convert return expression of type 'Reading<String>' to return t}}
    func optional() -> String? { token }
    // expected-error@+1 {{cannot assign to property: 'token' is a get-only property}}
    func assign() { token = .value("x") }
}
