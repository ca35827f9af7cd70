/// ★ The checklists of the documents, with a proof for each item.
package struct Checklist: Sendable {
    package let name: String
    package let title: String
    package let items: [Item]

    package struct Item: Sendable {
        package let group: String?
        package let text: String
        package let proof: Proof

        init(_ text: String, _ proof: Proof, group: String? = nil) {
            self.text = text
            self.proof = proof
            self.group = group
        }
    }

    /// The proof that an item holds.
    package enum Proof: Sendable {
        /// These rules have no findings.
        case rules([String])
        /// A test contains one of these names.
        case test([String])
        /// If the code has one of the subjects, a test contains one of these names. The question is
        /// for the part that the code does not show.
        case question(String, test: [String], subjects: [String])
        /// No source contains one of these texts.
        case absence([String])
    }

    package static func named(_ name: String) -> Checklist? { all.first { $0.name == name } }

    package static let all = [accessControl, migration, itemClasses, overview]

    private static let simulator = ["SimulatedDevice", "KeychainSimulator", "device.lock"]

    private static let accessControl = Checklist(
        name: "access-control",
        title: "Keychain access control guide",
        items: [
            .init("Every add names its accessibility", .rules(["KC201"])),
            .init(
                "No dictionary has both an accessibility and an access control",
                .rules(["KC204"])
            ),
            .init(
                "Items for the background use AfterFirstUnlockThisDeviceOnly",
                .rules(["KC203", "KC206", "KC303", "KC310"])
            ),
            .init(
                "WhenPasscodeSet items may disappear, and the code handles that",
                .rules(["KC208"])
            ),
            .init("Constraints have .or or .and between them", .rules(["KC301", "KC302"])),
            .init("Calls on macOS use the data protection keychain", .rules(["KC801", "KC802"])),
            .init("A lost ThisDeviceOnly item leads to a new sign-in", .rules(["KC602"])),
            .init("The start of the app checks isProtectedDataAvailable", .rules(["KC207"])),
            .init("A new access control means delete and add", .rules(["KC307"])),
            .init("Tests run on a device that locks and restarts", .test(simulator)),
            .init("No code uses the deprecated Always classes", .rules(["KC202"])),
        ]
    )

    private static let migration = Checklist(
        name: "migration",
        title: "Migration guide",
        items: [
            .init(
                "A cleanup of all classes runs at the first launch, before any SDK",
                .rules(["KC603", "KC604", "KC605"])
            ),
            .init(
                "A migration reads, writes, verifies, and then deletes",
                .rules(["KC601", "KC612", "KC613"])
            ),
            .init("The keychain stores the schema version", .rules(["KC607", "KC608"])),
            .init("A migration waits for protected data", .rules(["KC606", "KC614"])),
            .init("A locked device does not count as a missing item", .rules(["KC503", "KC505"])),
            .init("Service and account stay the same", .rules(["KC410", "KC609"])),
            .init("No query contains an accessibility", .rules(["KC102"])),
            .init(
                "The usual accessibility is AfterFirstUnlockThisDeviceOnly",
                .rules(["KC201", "KC205"])
            ),
            .init(
                "Legacy data stays for a while after the migration",
                .test(["DeferredCleanup", "rollback"])
            ),
            .init(
                "A new team identifier comes with a migration under the old one",
                .question(
                    "Did the app ever ship with another team identifier?",
                    test: ["TeamBridge", "teamIdentifier:"],
                    subjects: ["TeamBridge", "oldTeam", "formerTeam", "previousTeam", "legacyTeam"]
                )
            ),
            .init(
                "Tests run the migration, and clean up",
                .test(["igrat", "SimulatedDevice"])
            ),
        ]
    )

    private static let itemClasses = Checklist(
        name: "item-classes",
        title: "Item classes guide",
        items: [
            .init("Credentials of web sites are internet passwords", .rules(["KC401"])),
            .init("Dictionaries contain the whole primary key", .rules(["KC101", "KC103"])),
            .init("kSecAttrGeneric identifies no item", .rules(["KC114"])),
            .init("Keys have a tag, and no label of their own", .rules(["KC404"])),
            .init("Nobody adds an identity from attributes", .rules(["KC402"])),
            .init("Keys have type, size and class", .rules(["KC403", "KC407", "KC409"])),
            .init(
                "Calls on macOS use the data protection keychain",
                .rules(["KC801", "KC802", "KC805"])
            ),
            .init("Synchronizable items have no ThisDeviceOnly class", .rules(["KC704"])),
            .init("Secrets are small", .rules(["KC904"])),
            .init("Certificates have no tag", .rules(["KC405", "KC406"])),
            .init("Code handles errSecDuplicateItem", .rules(["KC502", "KC508"])),
        ]
    )

    private static let overview = Checklist(
        name: "overview",
        title: "Keychain overview",
        items: [
            .init(
                "The code calls SecItem itself",
                .absence([
                    "import KeychainAccess", "import KeychainSwift", "import Valet",
                    "import SwiftKeychainWrapper", "import SimpleKeychain", "import Locksmith",
                ]),
                group: "Model"
            ),
            .init(
                "Dictionaries contain the whole primary key",
                .rules(["KC101", "KC103"]),
                group: "Model"
            ),
            .init("Code updates, and does not delete and add", .rules(["KC504"]), group: "Model"),
            .init("Searches state their limit", .rules(["KC105"]), group: "Model"),
            .init(
                "Every add names its accessibility",
                .rules(["KC201"]),
                group: "Data protection"
            ),
            .init(
                "Items for the background use AfterFirstUnlock",
                .rules(["KC203", "KC206"]),
                group: "Data protection"
            ),
            .init(
                "A locked device deletes nothing",
                .rules(["KC503", "KC505"]),
                group: "Data protection"
            ),
            .init("Tests run on a locked device", .test(simulator), group: "Data protection"),
            .init(
                "The biometric flag fits the secret",
                .rules(["KC309", "KC304"]),
                group: "Access control"
            ),
            .init("The reuse duration is short", .rules(["KC308"]), group: "Access control"),
            .init(
                "There is a way on without biometry",
                .rules(["KC311", "KC312"]),
                group: "Access control"
            ),
            .init(
                "Access groups match the entitlements",
                .rules(["KC701", "KC702", "KC708", "KC709"]),
                group: "Sharing"
            ),
            .init("All targets that share have the group", .rules(["KC703"]), group: "Sharing"),
            .init("Dictionaries name the access group", .rules(["KC707"]), group: "Sharing"),
            .init(
                "Calls on macOS use the data protection keychain",
                .rules(["KC801", "KC802"]),
                group: "Mac"
            ),
            .init(
                "Tests run on macOS",
                .test(["os(macOS)", "platform: .macOS", "system: .macOS"]),
                group: "Mac"
            ),
            .init("Code reads every status", .rules(["KC501"]), group: "Errors"),
            .init(
                "Code handles errSecDuplicateItem",
                .rules(["KC502", "KC508"]),
                group: "Errors"
            ),
            .init("errSecItemNotFound is a normal answer", .rules(["KC506"]), group: "Errors"),
            .init("Errors say which item and which call", .rules(["KC509"]), group: "Errors"),
        ]
    )
}
