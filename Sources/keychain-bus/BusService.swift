import Glibc
import KeychainMigration
import KeychainModel
import SecretServiceClient
import Secrets

// Law: a process that uses a bus which its account names has only the account's rights.

/// Performs the calls that arrive at descriptor 0, until the connection ends.
///
/// - Source: Documentation/Spec/migration.md, "The bus".
enum BusService {
    private static let name = "keychain-bus"

    private static let usage = """
        usage: keychain-bus [--help|--version]

        Talk to the Secret Service of the session's message bus, for keychainctl migrate, which
        starts this program.

          --help     print this text
          --version  print the version

        Exit status: 0; 2 for wrong usage, and as a protected program.

        """

    /// Runs the program, and returns its exit status.
    static func run(_ arguments: [String]) -> Int32 {
        switch arguments {
        case []: break
        case ["--help"], ["-h"]: return write(usage, to: STDOUT_FILENO, status: 0)
        case ["--version"]: return write("\(name) \(Version.text)\n", to: STDOUT_FILENO, status: 0)
        default: return complain("unknown arguments; see \(name) --help")
        }
        guard !RaisedGroup.isHeld else {
            let advice = "run keychainctl protect --undo on it"
            return complain("it talks to the bus, so it must not be protected; \(advice)")
        }
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            return complain("programs start it; see \(name) --help")
        }
        serve(ServiceMessages(STDIN_FILENO))
        return 0
    }

    private static func serve(_ messages: ServiceMessages) {
        let service: BusSecretService
        do throws(SourceFailure) { service = try BusSecretService() } catch {
            _ = messages.send(ServiceAnswer.failed(error))
            return
        }
        guard messages.send(ServiceAnswer.done) else { return }
        while let call = messages.receive(ServiceCall.self, isPatient: true) {
            guard messages.send(answer(to: call, service)) else { return }
        }
    }

    private static func answer(to call: ServiceCall, _ service: BusSecretService) -> ServiceAnswer {
        do throws(SourceFailure) {
            switch call {
            case .listing: return .listing(try service.listing())
            case .item(let path): return .item(try service.item(at: path))
            case .value(let path): return .value(try service.value(at: path))
            case .delete(let path):
                try service.delete(path)
                return .done
            case .create(let item, let value): return .created(try service.create(item, value))
            case .replace(let path, let value):
                try service.replace(path, with: value)
                return .done
            }
        } catch { return .failed(error) }
    }

    private static func complain(_ text: String) -> Int32 {
        write("\(name): \(text)\n", to: STDERR_FILENO, status: 2)
    }

    private static func write(_ text: String, to descriptor: Int32, status: Int32) -> Int32 {
        let bytes = Array(text.utf8)
        // A failure is ignored, because there is nobody left to tell.
        _ = Glibc.write(descriptor, bytes, bytes.count)
        return status
    }
}
