import Glibc
import KeychainMessages
import KeychainModel
import KeychainSockets
import Secrets

// Laws  (1) A unit gets the whole password, or systemd does not start it: systemd would take a
//           connection that closes for an empty credential, so a refusal is longer than systemd
//           accepts.
//       (2) Nobody gets a password but root and programs of the account that this command runs as.
//       (3) A password goes into the connection, wherever standard output goes.
//       (4) Nobody is prompted: a unit starts without a person.

/// `serve-credential`: hands a password to a unit whose `LoadCredential=` names a socket.
///
/// - Source: systemd.exec(5), LoadCredential=; systemd.socket(5), Accept=.
enum ServeCredential {
    /// The most that systemd takes for a credential, in bytes.
    private static let byteCountLimit = 1 << 20

    /// How long the other side may take to read.
    private static let patience: UInt32 = 20_000

    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let connection = UnixStream(Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)))
        let request = CredentialRequest(peerName: try peerName(connection))
        do throws(CommandFailure) {
            let request = try checked(request, connection)
            try send(try secret(request, arguments, context), connection)
        } catch {
            if let request {
                try context.note("\(request.unit) does not get \(request.credential)")
            }
            // Whoever asks may be gone; the reason is worth more than that.
            try? refuse(connection)
            throw error
        }
    }

    private static func peerName(
        _ connection: borrowing UnixStream
    ) throws(CommandFailure) -> [UInt8] {
        do throws(SocketError) { return try connection.peerName() } catch {
            throw .input(
                "standard input is not a connection of systemd: a socket unit with Accept=yes runs"
                    + " this command; see keychainctl help serve-credential"
            )
        }
    }

    /// What is asked for, if systemd asks.
    private static func checked(
        _ request: CredentialRequest?,
        _ connection: borrowing UnixStream
    ) throws(CommandFailure) -> CredentialRequest {
        guard let peer = try? connection.peer(), peer.userID == 0 || peer.userID == getuid() else {
            throw .input("another user asks for a credential; only root and this user may")
        }
        guard let request else {
            throw .input("the address of whoever asks names no unit and credential")
        }
        return request
    }

    private static func send(
        _ secret: SharedSecret,
        _ connection: borrowing UnixStream
    ) throws(CommandFailure) {
        do throws(SocketError) {
            let deadline = Deadline.after(milliseconds: patience)
            try secret.secret.withUnsafeBytes { bytes throws(SocketError) in
                try connection.sendAll(bytes, until: deadline)
            }
        } catch { throw .keychain(KeychainError(.io, error.words)) }
    }

    private static func refuse(_ connection: borrowing UnixStream) throws(SocketError) {
        let tooMany = [UInt8](repeating: 0, count: byteCountLimit + 1)
        let deadline = Deadline.after(milliseconds: patience)
        try tooMany.span.withUnsafeBytes { bytes throws(SocketError) in
            try connection.sendAll(bytes, until: deadline)
        }
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
