import BrowserDoor
import Glibc
import KeychainHost
import KeychainModel

@_implementationOnly import CProcess

/// The files in the account's home directory with which browsers start this program.
struct HostManifests {
    private let environment: ProcessEnvironment

    init(_ environment: ProcessEnvironment) { self.environment = environment }

    /// Writes a browser's file; returns the exit status.
    func install(_ browser: Browser) -> Int32 {
        guard let directory = directory(of: browser) else { return homeless() }
        let path = "\(directory)/\(Browser.fileName)"
        let program = environment.executable
        guard Self.makeDirectories(directory),
            Self.replace(path, with: browser.manifest(program: program))
        else { return failed(path) }
        say("\(path) lets the extension of \(browser.rawValue) start \(program)")
        return 0
    }

    /// Deletes a browser's file; returns the exit status.
    func remove(_ browser: Browser) -> Int32 {
        guard let directory = directory(of: browser) else { return homeless() }
        let path = "\(directory)/\(Browser.fileName)"
        guard unlink(path) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { return failed(path) }
            say("\(browser.rawValue): not installed")
            return 0
        }
        say("\(path) is gone")
        return 0
    }

    /// Prints a line for each browser; returns the exit status.
    func show() -> Int32 {
        for browser in Browser.allCases {
            guard let directory = directory(of: browser) else { return homeless() }
            let path = "\(directory)/\(Browser.fileName)"
            guard let bytes = Self.read(path) else {
                say("\(browser.rawValue): not installed")
                continue
            }
            guard let program = browser.program(inManifest: bytes) else {
                say("\(browser.rawValue): \(path) is not valid; run \(again(browser))")
                continue
            }
            let isThere = access(program, X_OK) == 0
            say(
                "\(browser.rawValue): \(path) starts \(program)"
                    + (isThere ? "" : ", which is not there; run \(again(browser))")
            )
        }
        return 0
    }

    private func again(_ browser: Browser) -> String {
        "\(BrowserProgram.name) install \(browser.rawValue)"
    }

    private func directory(of browser: Browser) -> String? {
        guard let home = environment["HOME"] ?? environment.accountHome, home.hasPrefix("/")
        else { return nil }
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return browser.directory(home: home, configuration: configuration)
    }

    private func say(_ text: String) {
        BrowserProgram.write(VisibleText.escaping(text) + "\n", to: STDOUT_FILENO)
    }

    private func homeless() -> Int32 {
        _ = BrowserProgram.complain("the account has no home; set HOME to an absolute path")
        return 1
    }

    private func failed(_ path: String) -> Int32 {
        _ = BrowserProgram.complain("\(path): \(String(cString: strerror(errno)))")
        return 1
    }
}

// Files.
extension HostManifests {
    private static func makeDirectories(_ path: String) -> Bool {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, X_OK) == 0
            else { return false }
        }
        return true
    }

    /// Replaces a file as a whole, so that a browser reads either the old or the new one.
    private static func replace(_ path: String, with text: String) -> Bool {
        var name = Array("\(path).XXXXXX".utf8CString)
        let descriptor = process_temporary_file(&name)
        guard descriptor >= 0 else { return false }
        BrowserProgram.write(text, to: descriptor)
        var status = stat()
        let isWhole = fstat(descriptor, &status) == 0 && Int(status.st_size) == text.utf8.count
        guard close(descriptor) == 0, isWhole, rename(name, path) == 0 else {
            let code = errno
            unlink(name)
            errno = code
            return false
        }
        return true
    }

    /// Returns a file's bytes; empty if it is not a regular file, nil if it cannot be opened.
    private static func read(_ path: String) -> [UInt8]? {
        // Opening a pipe would otherwise wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count < 0 ? nil : Array(buffer[..<count])
    }
}
