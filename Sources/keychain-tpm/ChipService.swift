import DataProtection
import Glibc
import KeychainHost
import KeychainModel
import Secrets
import SecureElementTPM

// Law: a process that loads libtss2 has only its account's rights.

/// A service that reads one request from standard input, and replies on standard output.
///
/// - Source: Documentation/Spec/tpm.md.
enum ChipService {
    private static let name = "keychain-tpm"

    private static let usage = """
        usage: keychain-tpm [--help|--version]

        Carry out one request to the machine's TPM, from standard input to standard output. The
        programs of the keychain start it. It needs the libraries of tpm2-tss.

          --help     print this text
          --version  print the version

        Exit status: 0; 1 if the request is malformed; 2 for wrong usage, or if protected.

        """

    /// Runs the program, and returns its exit status.
    static func run(_ arguments: [String]) -> Int32 {
        switch arguments {
        case []: break
        case ["--help"], ["-h"]: return write(usage, to: STDOUT_FILENO, status: 0)
        case ["--version"]: return write("\(name) \(Version.text)\n", to: STDOUT_FILENO, status: 0)
        default: return complain("unknown arguments; see \(name) --help", status: 2)
        }
        guard !RaisedGroup.isHeld else {
            let advice = "run keychainctl protect --undo on it"
            return complain("it loads libraries, so it must not be protected; \(advice)", status: 2)
        }
        guard isatty(STDIN_FILENO) == 0 else {
            return complain("programs start it; see \(name) --help", status: 2)
        }
        guard let reply = reply() else { return complain("the request is malformed", status: 1) }
        return reply.encoded().withUnsafeBytes { write($0, to: STDOUT_FILENO) } ? 0 : 1
    }

    /// Returns the reply to the request; nil if the request is invalid.
    private static func reply() -> ChipReply? {
        var count = 0
        let input = Secret(byteCount: ChipRequest.byteCountLimit + 1) { target in
            count = read(into: target)
        }
        guard count <= ChipRequest.byteCountLimit else { return nil }
        return input.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
            guard let request = try? ChipRequest(decoding: bytes) else { return nil }
            return reply(to: request)
        }
    }

    private static func reply(to request: ChipRequest) -> ChipReply {
        TPMSupport.silence()
        let chip = TPMChip(place: request.place)
        do throws(DeviceError) {
            switch request.verb {
            case .makeKey:
                return .done(SharedSecret(Secret(copying: try chip.makeKey())))
            case .authenticate:
                let code = try chip.authenticate(request.message.secret, under: request.key)
                return .done(SharedSecret(code))
            }
        } catch .element(let reason) {
            return .failed(reason)
        } catch { return .failed("\(error)") }
    }

    private static func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < target.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: target[count...])
            let part = Glibc.read(STDIN_FILENO, room.baseAddress, room.count)
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { break }
            count += part
        }
        return count
    }

    private static func complain(_ text: String, status: Int32) -> Int32 {
        write("\(name): \(text)\n", to: STDERR_FILENO, status: status)
    }

    private static func write(_ text: String, to descriptor: Int32, status: Int32) -> Int32 {
        // A failure is ignored, because there is nobody left to tell.
        _ = Array(text.utf8).withUnsafeBytes { write($0, to: descriptor) }
        return status
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
