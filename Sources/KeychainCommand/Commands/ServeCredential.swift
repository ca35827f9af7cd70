import Glibc
import KeychainMessages
import KeychainModel
import KeychainSockets
import Secrets

// Laws  (1) A unit gets the whole password, or systemd does not start it. systemd would take a
//           closed connection for an empty credential, so a refusal is longer than the greatest
//           credential that systemd accepts.
//       (2) Only root and programs of this command's account get a password.
//       (3) A password goes into the connection, even if standard output is redirected.
//       (4) There are no prompts: a unit starts without a user.

/// `serve-credential`: sends a password to a unit whose `LoadCredential=` names a socket.
///
/// - Source: systemd.exec(5), LoadCredential=; systemd.socket(5), Accept=.
enum ServeCredential {
    /// The greatest credential that systemd accepts, in bytes.
    private static let byteCountLimit = 1 << 20

    /// The time limit for the other side to read, in milliseconds.
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
            // The client may be gone, and the first error explains more than a second one.
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

    /// Returns the request if systemd or a program of this account made it.
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

    /// Returns the password that is stored for the unit under the credential's name.
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
