import BrowserDoor
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

/// The program, which a browser or a user may start.
enum BrowserProgram {
    static let name = "keychain-browser"

    private static let usage = """
        usage: keychain-browser install|remove BROWSER…
               keychain-browser status
               keychain-browser --help|--version

        Fill in sign-in forms of web pages from your keychain.

          install BROWSER…  let the extension of these browsers start this program
          remove BROWSER…   undo that; the directories stay
          status            show which browsers start which program
          --help            print this text
          --version         print the version

        BROWSER is firefox, chromium or chrome. The browser needs the extension, too:
        see Documentation/Doors.md. Browsers start this program themselves to answer a click.
        Exit status: 0; 1 if a file cannot be changed; 2 for wrong usage.

        Example: keychain-browser install firefox

        """

    /// Runs, and returns the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        if Browser.isStarted(by: arguments) { return serve() }
        switch arguments.first {
        case "--help", "-h":
            write(usage, to: STDOUT_FILENO)
        case "--version":
            write("\(name) \(Version.text)\n", to: STDOUT_FILENO)
        case "status" where arguments.count == 1:
            return HostManifests(.current).show()
        case "install", "remove", "status":
            guard !arguments.contains("--help"), !arguments.contains("-h") else {
                write(usage, to: STDOUT_FILENO)
                return 0
            }
            guard arguments[0] != "status" else {
                return complain("status takes no arguments; see \(name) --help")
            }
            return change(arguments)
        default:
            return complain("unknown or missing arguments; see \(name) --help")
        }
        return 0
    }

    private static func change(_ arguments: [String]) -> Int32 {
        let browsers = arguments.dropFirst().map { Browser(rawValue: $0) }
        guard !browsers.isEmpty, !browsers.contains(nil) else {
            return complain("name browsers: firefox, chromium or chrome; see \(name) --help")
        }
        let manifests = HostManifests(.current)
        return browsers.compactMap(\.self).map { browser in
            arguments[0] == "install" ? manifests.install(browser) : manifests.remove(browser)
        }.max() ?? 0
    }

    /// Writes a line on standard error, and returns the exit status of wrong usage.
    static func complain(_ text: String) -> Int32 {
        write("\(name): \(VisibleText.escaping(text))\n", to: STDERR_FILENO)
        return 2
    }

    static func write(_ text: String, to descriptor: Int32) {
        _ = Array(text.utf8).withUnsafeBytes { write($0, to: descriptor) }
    }
}

// Serving a browser through pipes.
extension BrowserProgram {
    /// Answers messages until the browser closes its end, or sends an invalid one.
    private static func serve() -> Int32 {
        let door = BrowserDoor { request throws(KeychainError) in
            try RequestRouter.endpoint().send(request)
        }
        var reader = NativeMessageReader()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        do throws(NativeMessageError) {
            while true {
                while let message = try reader.next() {
                    let answer = door.answer(to: message)
                    guard answer.secret.withUnsafeBytes({ write($0, to: STDOUT_FILENO) })
                    else { return 1 }
                }
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                reader.append(buffer[..<count])
            }
            try reader.finish()
            return 0
        } catch {
            if case .tooLong = error {
                _ = BrowserDoor.refusalOfLength.secret.withUnsafeBytes {
                    write($0, to: STDOUT_FILENO)
                }
            }
            return 1
        }
    }

    /// Writes all bytes; returns false if the reader has gone.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(
                descriptor,
                UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                rest.count
            )
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }
}
