import KeychainModel
import Secrets

@testable import KeychainCommand

extension FuzzTarget {
    /// A file for `keychainctl import`, in PEM or DER, under the passphrase `fuzz`.
    ///
    /// Blocks of PEM are written as they were read; every key and certificate becomes an item.
    static let keyFile = FuzzTarget(name: "key-file") { bytes throws(BrokenLaw) in
        let file = Secret(copying: bytes)
        for block in (try? PEMReader.blocks(in: file)) ?? [] {
            let written = ByteRule.pem(block.label).secret(of: block.content.secret)
            let again = try? PEMReader.blocks(in: written).first
            let isSame = again?.content.secret.constantTimeEquals(block.content.secret) ?? false
            try require(isSame && again?.label == block.label, "a block is written as read")
        }
        var arguments = Arguments()
        arguments.set(.passphrase, to: "fuzz")
        let context = CommandContext(program: "fuzz", terminal: NoTerminal()) {
            () throws(KeychainError) in
            throw KeychainError(.notAvailable, "no keychain is needed to read a file")
        }
        let reader = ContentsReader(passphrase: Passphrase(arguments, context))
        guard let contents = try? reader.contents(of: file), !contents.isEmpty else {
            return .refused
        }
        let plan = try? ImportPlan(contents, attributes: [:], isExtractable: true)
        let count = contents.keys.count + contents.certificates.count
        try require(plan?.items.count == count, "every key and certificate becomes an item")
        return .accepted
    }
}

/// Nobody and nothing.
private final class NoTerminal: Terminal {
    let inputIsTerminal = false
    let outputIsTerminal = false

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }

    func readHiddenLine(prompt: String, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }

    func write(_ bytes: UnsafeRawBufferPointer, to stream: OutputStream) {}
}
