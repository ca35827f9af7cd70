import Glibc
import Secrets

/// The process's properties that the keychain reads: variables and the executable's path.
package struct ProcessEnvironment: Sendable {
    private var variable: @Sendable (String) -> String?
    private var isEqual: @Sendable (String, String) -> Bool
    /// The absolute path of the running program.
    package private(set) var executable: String
    package let userID: UInt32
    /// Whether the program has more rights than the process that started it.
    ///
    /// Then nothing in its environment may direct it away from the machine's daemon.
    package let isProtected: Bool
    private let account: @Sendable () -> String?

    /// Creates an environment from given values, for tests.
    package init(
        executable: String,
        userID: UInt32 = geteuid(),
        isProtected: Bool = false,
        accountHome: @escaping @Sendable () -> String? = { nil },
        variable: @escaping @Sendable (String) -> String?
    ) {
        self.executable = executable
        self.userID = userID
        self.isProtected = isProtected
        self.account = accountHome
        self.variable = variable
        self.isEqual = { (variable($0) ?? "") == $1 }
    }

    private init() {
        executable = Self.executablePath()
        userID = geteuid()
        isProtected = RaisedGroup.isHeld
        account = { Self.homeDirectory(of: geteuid()) }
        variable = { name in getenv(name).map { String(cString: $0) } }
        isEqual = { name, value in
            guard let found = getenv(name) else { return value.isEmpty }
            return value.withCString { strcmp(found, $0) == 0 }
        }
    }

    /// The environment of this process.
    package static let current = ProcessEnvironment()

    /// Returns the environment of another program of this process's account, rights and variables.
    package func running(_ executable: String) -> ProcessEnvironment {
        var other = self
        other.executable = executable
        return other
    }

    /// Returns the environment with other values for some variables; nil unsets one.
    package func replacing(_ values: [String: String?]) -> ProcessEnvironment {
        var other = self
        other.variable = { [variable] name in values[name] ?? variable(name) }
        other.isEqual = { [isEqual] name, value in
            values[name].map { ($0 ?? "") == value } ?? isEqual(name, value)
        }
        return other
    }

    /// The variable's value; nil if it is unset or empty.
    package subscript(name: String) -> String? {
        guard let value = variable(name), !value.isEmpty else { return nil }
        return value
    }

    /// Whether the variable is set, even if it is empty.
    func names(_ name: String) -> Bool { variable(name) != nil }

    /// Whether the variable has the value; an unset variable counts as empty.
    func has(_ value: String, in name: String) -> Bool { isEqual(name, value) }

    /// The home directory in the account's entry; nil if there is none.
    package var accountHome: String? { account() }

    private static func executablePath() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        guard count > 0 else { return CommandLine.arguments.first ?? "program" }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return withoutRemark(path, exists: { access($0, F_OK) == 0 })
    }

    /// Removes the kernel's remark from the path of an executable that was replaced.
    static func withoutRemark(_ path: String, exists: (String) -> Bool) -> String {
        let remark = " (deleted)"
        guard path.hasSuffix(remark), !exists(path) else { return path }
        return String(path.dropLast(remark.count))
    }

    /// - Source: getpwuid_r(3).
    private static func homeDirectory(of userID: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        return buffer.withUnsafeMutableBufferPointer { texts in
            guard let start = texts.baseAddress,
                getpwuid_r(userID, &entry, start, texts.count, &found) == 0, found != nil,
                let home = entry.pw_dir.map({ String(cString: $0) }), home.hasPrefix("/")
            else { return nil }
            return home
        }
    }

    /// The executable's name without its directory.
    package var executableName: String {
        executable.split(separator: "/").last.map(String.init) ?? executable
    }

    /// The directory of the executable.
    package var executableDirectory: String {
        guard let slash = executable.lastIndex(of: "/") else { return "." }
        return String(executable[..<slash])
    }
}
