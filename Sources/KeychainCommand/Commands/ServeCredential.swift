import Glibc
import KeychainMessages
import KeychainModel
import KeychainSockets
import Secrets

// Laws  (1) A unit gets the whole password, or systemd does not start it: systemd would take a
//           connection that closes for an empty credential, so a refusal is longer than systemd
//           accepts.
//       (2) Nobody is answered but root and programs of the account that this command runs as.
//       (3) Nobody is prompted: a unit starts without a person.

/// `serve-credential`: hands a password to a unit whose `LoadCredential=` names a socket.
///
/// - Source: systemd.exec(5), LoadCredential=; systemd.socket(5), Accept=.
enum ServeCredential {
    /// The most that systemd takes for a credential, in bytes.
    private static let byteCountLimit = 1 << 20

    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let request = try request()
        do throws(CommandFailure) {
            var page = Page()
            page.append(try secret(request, arguments, context).secret.duplicate())
            try context.print(page)
        } catch {
            try context.note("\(request.unit) does not get \(request.credential)")
            var page = Page()
            page.append(raw: String(repeating: "\0", count: byteCountLimit + 1))
            try context.print(page)
            throw error
        }
    }

    /// What the manager at the other end of standard input asks for.
    private static func request() throws(CommandFailure) -> CredentialRequest {
        let name: [UInt8]
        let peer: PeerIdentity
        do throws(SocketError) {
            let connection = UnixStream(Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)))
            name = try connection.peerName()
            peer = try connection.peer()
        } catch {
            throw .input(
                "standard input is not a connection of systemd: a socket unit with Accept=yes runs"
                    + " this command; see keychainctl help serve-credential"
            )
        }
        guard peer.userID == 0 || peer.userID == getuid() else {
            throw .input("user \(peer.userID) asks for a credential, and only root may")
        }
        guard outputIsInput else {
            throw .input("standard output is not the connection: add StandardOutput=socket")
        }
        guard let request = CredentialRequest(peerName: name) else {
            throw .input("the address of whoever asks names no unit and credential")
        }
        return request
    }

    /// Whether the answer goes to whoever asks, and not to a log.
    private static var outputIsInput: Bool {
        var input = stat()
        var output = stat()
        return fstat(STDIN_FILENO, &input) == 0 && fstat(STDOUT_FILENO, &output) == 0
            && input.st_dev == output.st_dev && input.st_ino == output.st_ino
    }

    /// The password that is stored for the unit under the credential's name.
    private static func secret(
        _ request: CredentialRequest,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret {
        var filter = try arguments.attributes(of: OptionTable.serveCredential)
        filter[.service] = .string(request.unit)
        filter[.account] = .string(request.credential)
        let listing = try context.listing(of: .genericPassword, where: filter, returning: [])
        guard listing.items.count + listing.outOfReach.count <= 1 else {
            throw .input("two items have this service and account; choose with --access-group")
        }
        filter[QueryKey.itemClass.rawValue] = .string(ItemClass.genericPassword.rawValue)
        let item = try context.firstItem(filter.askingNobody, returning: [.returnData])
        let value = item.data ?? SharedSecret(Secret(copying: []))
        guard value.secret.byteCount <= byteCountLimit else {
            throw .keychain(
                KeychainError(.dataTooLarge, "systemd accepts at most \(byteCountLimit) bytes")
            )
        }
        return value
    }
}
