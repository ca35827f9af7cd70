import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import KeychainHost

private let evil = "/srv/ada/evil.so"

/// Root's settings and the daemon's socket of one test.
private final class RootsChoice {
    let path: String

    init(_ place: String?) throws {
        var template = Array("/opt/keychain-place-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, 0o755)
        try Data().write(to: URL(filePath: path + "/socket"))
        guard let place else { return }
        try Data(place.utf8).write(to: URL(filePath: path + "/tpm"))
        chmod(path + "/tpm", 0o644)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func place(
        _ named: String?,
        isProtected: Bool = false,
        hasDaemon: Bool = true,
        _ variables: [String: String] = [:]
    ) throws -> String {
        let environment = ProcessEnvironment(
            executable: "/usr/bin/keychainctl",
            isProtected: isProtected
        ) { variables[$0] }
        return try ChipPlace.resolved(
            named,
            environment,
            daemon: path + (hasDaemon ? "/socket" : "/nothing"),
            directory: path
        )
    }
}

private let isRoot = geteuid() == 0

@Suite(.enabled(if: isRoot, "it makes files of root's")) struct `The place of a TPM` {
    @Test(.requirement("HRD-02"), arguments: [nil, "device:/dev/tpm7"])
    func `is root's for a protected program, whatever names another`(roots: String?) throws {
        let choice = try RootsChoice(roots)
        let place = roots ?? "device:/dev/tpmrm0"
        for variables in [[:], ["KEYCHAIN_SOCKET": ""]] {
            for hasDaemon in [true, false] {
                let place = { (named: String?) in
                    try choice.place(named, isProtected: true, hasDaemon: hasDaemon, variables)
                }
                #expect(try place(nil) == (roots ?? "device:/dev/tpmrm0"))
                #expect(throws: KeychainError(.notAvailable, "")) { try place(evil) }
            }
        }
        #expect(try choice.place(place, isProtected: true) == place)
    }

    @Test(.requirement("HRD-02"))
    func `is root's for every program that uses the system daemon`() throws {
        let choice = try RootsChoice("device:/dev/tpm7")
        #expect(try choice.place(nil) == "device:/dev/tpm7")
        #expect(try choice.place("device:/dev/tpm7") == "device:/dev/tpm7")
        let failure = #expect(throws: KeychainError.self) { try choice.place(evil) }
        #expect(failure?.reason.contains(choice.path + "/tpm") == true)
        #expect(failure?.reason.contains(evil) == true)
    }

    @Test func `is what a program names that uses no daemon`() throws {
        let choice = try RootsChoice("device:/dev/tpm7")
        #expect(try choice.place(evil, ["KEYCHAIN_SOCKET": ""]) == evil)
        #expect(try choice.place(evil, hasDaemon: false) == evil)
        #expect(try choice.place(nil, hasDaemon: false) == "device:/dev/tpm7")
    }

    @Test(.requirement("HRD-02"))
    func `is refused if others can change root's choice`() throws {
        let choice = try RootsChoice("device:/dev/tpm7")
        chmod(choice.path + "/tpm", 0o666)
        for isProtected in [true, false] {
            let failure = #expect(throws: KeychainError.self) {
                try choice.place(nil, isProtected: isProtected)
            }
            #expect(failure?.reason.contains(choice.path + "/tpm") == true)
        }
    }

    /// The kind of a keychain may change between the look of `daemon adopt` and its use: whatever
    /// the file says then, the place is root's.
    @Test(
        .requirement("HRD-02"),
        arguments: ["KEYCHAIN_SECURE_ELEMENT", "KEYCHAIN_UNLOCK_WITH"]
    )
    func `never comes from a variable into a protected program`(variable: String) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/place-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let kind = variable == "KEYCHAIN_UNLOCK_WITH" ? "tpm:" : "tpm2:"
        let variables = [variable: kind + evil, "KEYCHAIN_HOME": folder + "/keychain"]
        let environment = ProcessEnvironment(
            executable: "/usr/bin/keychainctl",
            isProtected: true
        ) { variables[$0] }
        let home = try KeychainHome(environment)
        let failure = #expect(throws: KeychainError.self) {
            if variable == "KEYCHAIN_UNLOCK_WITH" {
                _ = try UnlockSource(kind + evil).passcode(in: home, environment)
            } else {
                _ = try EmbeddedKeychain.open(home, environment)
            }
        }
        // No chip was made: the place is looked at before anything else.
        #expect(failure?.reason.contains("root chooses the TPM") == true)
    }
}
