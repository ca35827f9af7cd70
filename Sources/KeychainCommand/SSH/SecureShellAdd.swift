import Cryptography
import KeychainModel
import SSHAgentProtocol
import SSHKeys
import Secrets

/// `ssh add`: gives a file's key to the running agent, or stores it with `--keep`.
struct SecureShellAdd {
    private static let label = "OPENSSH PRIVATE KEY"

    private let arguments: Arguments
    private let context: CommandContext

    init(_ arguments: Arguments, _ context: CommandContext) {
        self.arguments = arguments
        self.context = context
    }

    private var path: String { arguments.operands[1] }

    func run() throws(CommandFailure) {
        guard arguments.has(.keep) else {
            guard !arguments.has(.require), !arguments.has(.comment) else {
                throw .usage("options --require and --comment need --keep")
            }
            return try give()
        }
        let (key, comment) = try key()
        let keychain = try SecureShell.keychain(context)
        let control = try SecureShell.control(arguments)
        let name = arguments[.comment] ?? comment
        try CommandFailure.wrapping(try keychain.store(key, comment: name, control: control))
        guard let publicKey = SSHPublicKey(key.publicKey) else { return }
        try context.print(line: "stored \(publicKey.fingerprint) \(name)")
        try keepCertificate(of: publicKey, keychain)
        try context.note("note: the file is still there; delete it if the keychain is backed up")
    }

    /// Stores the certificate that ssh-keygen(1) wrote beside the key, if there is one.
    private func keepCertificate(
        of key: SSHPublicKey,
        _ keychain: SSHKeychain
    ) throws(CommandFailure) {
        guard let certificate = SecureShell.publicKey(atPath: path + "-cert.pub"),
            certificate.certificate != nil, certificate.hasSameKey(as: key)
        else { return }
        try CommandFailure.wrapping(try keychain.store(certificate: certificate))
        try context.print(line: "stored the certificate \(path)-cert.pub")
    }

    /// Sends the key to the agent that `SSH_AUTH_SOCK` names.
    private func give() throws(CommandFailure) {
        let file = try CommandFailure.wrapping(try InputFile.read(path))
        guard let block = try openSSHBlock(file) else {
            throw .input("\(path) is no OpenSSH private key: give --keep, or use ssh-add")
        }
        let contents = try Self.contents(of: block, path)
        guard let socket = context.environment["SSH_AUTH_SOCK"] else {
            throw .input("SSH_AUTH_SOCK is not set: start keychain-ssh-agent, or give --keep")
        }
        let request = Secret(
            concatenating: Secret(copying: [AgentMessageType.addIdentity.rawValue]),
            contents.identity.secret
        )
        let reply = try CommandFailure.wrapping(try AgentCall.send(request, to: socket))
        guard reply.first == AgentMessageType.success.rawValue else {
            throw .unmet("the agent refused the key")
        }
        try context.print(
            line: "added \(contents.key.publicKey.fingerprint) \(contents.comment)"
        )
    }

    private func key() throws(CommandFailure) -> (key: PrivateKey, comment: String) {
        let file = try CommandFailure.wrapping(try InputFile.read(path))
        if let block = try openSSHBlock(file) {
            let contents = try Self.contents(of: block, path)
            return (contents.key.key, contents.comment)
        }
        let reader = ContentsReader(passphrase: Passphrase(arguments, context))
        for key in try reader.contents(of: file).keys {
            guard case .privateKey(let key) = key.material else { continue }
            guard SSHKeyType(key.kind) != nil else {
                throw .input("\(path) has a key of a kind that SSH does not use")
            }
            return (key, SecureShell.comment(arguments, context))
        }
        throw .keychain(KeychainError(.unknownFormat, "\(path) contains no private key"))
    }

    private func openSSHBlock(_ file: borrowing Secret) throws(CommandFailure) -> PEMBlock? {
        guard PEMReader.recognizes(file) else { return nil }
        do throws(PEMError) {
            return try PEMReader.blocks(in: file).first { $0.label == Self.label }
        } catch { throw .keychain(KeychainError(.decode, "\(path) is damaged")) }
    }

    private static func contents(
        of block: PEMBlock,
        _ path: String
    ) throws(CommandFailure) -> OpenSSHKeyFile {
        do throws(SSHFormatError) { return try OpenSSHKeyFile(block.content.secret) } catch {
            switch error {
            case .unsupported(let what):
                let advice =
                    "remove its passphrase with ssh-keygen -p -f \(path), or use ssh-add, which"
                    + " gives it to the agent until that ends"
                let isLocked = what.hasSuffix("passphrase")
                let reason = isLocked ? "\(path) has a passphrase: \(advice)" : "no \(what)"
                throw .keychain(KeychainError(.unsupportedFormat, reason))
            case .malformed, .tooMuch:
                throw .keychain(KeychainError(.decode, "\(path) is damaged"))
            }
        }
    }
}
