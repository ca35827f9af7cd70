/// One parser with what is fed to it and what must hold of its answers.
struct FuzzTarget: Sendable {
    /// What the parser made of an input.
    enum Verdict: String, Sendable {
        case accepted
        case refused
    }

    /// The name of the target, which is that of its folder in `Corpus`.
    let name: String

    /// Feeds one input to the parser.
    ///
    /// Every sequence of bytes is an input. It ends with a verdict; the process never traps.
    let run: @Sendable ([UInt8]) throws(BrokenLaw) -> Verdict

    /// The target of that name.
    static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }

    /// Every parser that meets bytes from outside.
    static let all: [FuzzTarget] = [
        query, persistentReference, entitlements,
        keybag, lockEpoch, sessionImage, secureElement, chipElement, gate,
        itemFormat, sealedRow, programRecords,
        der, privateKey, encryptedPrivateKey, publicKey, distinguishedName, certificate, pkcs12,
        keyFile, plaintext, backup, scenario, auditLog,
        wireClientMessage, wireDaemonMessage,
        witnessMessage, programPolicy, accessGrants, processFile, sshAgent, pkcs11Template,
        secretService, protectedFile, redoRecord, associationFile, syncEntry, syncCircle,
        relayMessage, relayFile, etcdAnswer,
    ]
}

/// An answer that breaks a law of its parser.
struct BrokenLaw: Error {
    /// What should have held, as a sentence.
    let law: String
}

/// Insists on a law.
///
/// - Throws: `BrokenLaw` with the sentence.
func require(_ holds: Bool, _ law: @autoclosure () -> String) throws(BrokenLaw) {
    guard holds else { throw BrokenLaw(law: law()) }
}
