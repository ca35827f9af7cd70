import Glibc
import Secrets

@_implementationOnly import CProcess

// Laws  (1) Programs without this one's rights get the complete environment of the user's shell.
//       (2) No variable decides what this process itself loads or starts.

/// The environment that this process got from its parent.
///
/// In a set-group-ID program, glibc removes some variables before any other code runs, such as
/// `TMPDIR`, `TZDIR` and those of the loader. The kernel keeps the block of all variables, which is
/// the source for programs that run with the user's own rights.
///
/// - Source: ld.so(8), "Secure-execution mode"; proc(5), `/proc/pid/stat`, `env_start`.
package enum GivenEnvironment {
    /// All variables as `NAME=value`, for a program that the user chose.
    package static var settings: [String] { pointers().map { String(cString: $0) } }

    /// The variables that glibc left, as `NAME=value`, for a program that this package chose.
    package static var remainder: [String] { present().map { String(cString: $0) } }

    /// Returns the variables, in memory that lasts as long as the process.
    static func pointers() -> [UnsafeMutablePointer<CChar>] {
        isReduced ? block() ?? present() : present()
    }

    /// Whether glibc removed variables.
    private static var isReduced: Bool { process_is_secure() != 0 }

    private static func present() -> [UnsafeMutablePointer<CChar>] {
        var found: [UnsafeMutablePointer<CChar>] = []
        var next = environ
        while let setting = next.pointee {
            found.append(setting)
            next += 1
        }
        return found
    }

    /// Returns the variables in the kernel's block; nil if its location is unknown.
    private static func block() -> [UnsafeMutablePointer<CChar>]? {
        guard let (start, end) = bounds(),
            let first = UnsafeMutablePointer<CChar>(bitPattern: start)
        else { return nil }
        let count = Int(end - start)
        // A block without a final NUL would be read beyond its end.
        guard count > 0, first[count - 1] == 0 else { return nil }
        var found: [UnsafeMutablePointer<CChar>] = []
        var offset = 0
        while offset < count {
            let setting = first + offset
            found.append(setting)
            offset += strlen(setting) + 1
        }
        return found
    }

    private static func bounds() -> (start: UInt, end: UInt)? {
        let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return bounds(inStat: bytes[..<count])
    }

    /// Returns `env_start` and `env_end`; the name in parentheses may have any bytes.
    static func bounds(inStat bytes: ArraySlice<UInt8>) -> (start: UInt, end: UInt)? {
        guard let name = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(name + 1)...].split { $0 == UInt8(ascii: " ") || $0 == 10 }
        // The first one here is the third of all.
        let numbers = [50, 51].map { number in
            fields.count > number - 3
                ? UInt(String(decoding: fields[fields.startIndex + number - 3], as: UTF8.self))
                : nil
        }
        guard let start = numbers[0], let end = numbers[1], start > 0, start < end else {
            return nil
        }
        return (start, end)
    }
}

/// Puts another program in the place of this process.
package enum ProgramReplacement {
    /// Becomes the program, with the variables that this process was given, without its raised
    /// rights.
    ///
    /// It keeps the process number, the terminal and the descriptors that are not close-on-exec.
    /// The secrets enter the environment only here. After that, either the other program runs, or
    /// this one ends.
    ///
    /// - Parameters:
    ///   - program: A path, or a name that is looked for in `PATH`.
    ///   - arguments: The arguments after the program's name.
    ///   - variables: Variables to add; the values have no NUL.
    /// - Throws: `StartFailure`; otherwise it does not return. `EPERM` if the raised group of this
    ///   process cannot be given up.
    package static func become(
        _ program: String,
        _ arguments: [String],
        adding variables: [(name: String, value: SharedSecret)] = []
    ) throws(StartFailure) {
        guard RaisedGroup.drop() else { throw StartFailure(program, EPERM) }
        let names = Set(variables.map(\.name))
        var settings: [UnsafeMutablePointer<CChar>?] = GivenEnvironment.pointers().filter {
            !names.contains(name(of: $0))
        }
        var added: [UnsafeMutablePointer<CChar>] = []
        defer {
            for setting in added {
                explicit_bzero(setting, strlen(setting))
                free(setting)
            }
        }
        for (name, value) in variables {
            let start = Secret(copying: Array("\(name)=".utf8))
            let whole = Secret(concatenating: start, value.secret)
            guard let setting = copy(whole) else { throw StartFailure(program, ENOMEM) }
            added.append(setting)
            settings.append(setting)
        }
        settings.append(nil)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        _ = process_become(program, &words, &settings)
        throw StartFailure(program, errno)
    }

    private static func name(of setting: UnsafeMutablePointer<CChar>) -> String {
        let text = String(cString: setting)
        return String(text.prefix { $0 != "=" })
    }

    private static func copy(_ text: borrowing Secret) -> UnsafeMutablePointer<CChar>? {
        text.withUnsafeBytes { bytes in
            guard let memory = malloc(bytes.count + 1) else { return nil }
            let target = UnsafeMutableRawBufferPointer(start: memory, count: bytes.count + 1)
            target.copyMemory(from: bytes)
            target[bytes.count] = 0
            return memory.assumingMemoryBound(to: CChar.self)
        }
    }
}
