import Foundation
import TestSupport
import Testing

/// A running agent with a keychain and a directory of its own, for real SSH programs.
final class AgentSession {
    /// What a program wrote, and how it ended.
    struct Output {
        let status: Int32
        let text: String
    }

    let folder: URL
    let socket: String
    private(set) var environment: [String: String]
    private let agent: Service

    /// Where the package's programs are.
    static let programs = URL(
        filePath: (try? BuiltPrograms.path("keychain-ssh-agent")) ?? "/nonexistent/program"
    ).deletingLastPathComponent()

    /// Starts an agent and waits until it listens.
    ///
    /// - Parameters:
    ///   - arguments: Beside `-D -a SOCKET`.
    ///   - pinentry: The lines of a shell script that answers for a person; nobody without it.
    ///   - askpass: The lines of a shell script that asks as ssh's programs do.
    ///   - user: The account that runs the agent; this one without it.
    /// - Throws: What keeps it from starting.
    init(
        _ arguments: [String] = [],
        pinentry: String? = nil,
        askpass: String? = nil,
        user: String? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "ssh-" + UUID().uuidString.prefix(8))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        chmod(folder.path, 0o700)
        socket = folder.path + "/agent"
        var environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": folder.path,
            "KEYCHAIN_HOME": folder.path + "/keychain", "KEYCHAIN_UNLOCK_TIME": "0",
            "KEYCHAIN_SOCKET": "",
            "SSH_AUTH_SOCK": socket, "USER": "ada", "LC_ALL": "C",
            "KEYCHAIN_PROMPT": pinentry == nil ? "none" : "pinentry",
        ]
        if let pinentry {
            let path = folder.path + "/pinentry"
            try Self.write(Self.dialog(pinentry, log: folder.path + "/prompts"), to: path)
            environment["KEYCHAIN_PINENTRY"] = path
        }
        if let askpass {
            environment["KEYCHAIN_PROMPT"] = nil
            environment["SSH_ASKPASS"] = folder.path + "/askpass"
            environment["SSH_ASKPASS_REQUIRE"] = "force"
            try Self.write("#!/bin/bash\n" + askpass, to: folder.path + "/askpass")
        }
        self.environment = environment
        var words = [Self.programs.path + "/keychain-ssh-agent", "-D", "-a", socket] + arguments
        if let user {
            _ = try TestProgram(["/bin/chown", user, folder.path]).run()
            words = ["/usr/bin/setpriv", "--reuid=\(user)", "--clear-groups"] + words
        }
        agent = try Service(words, environment)
        // It writes where it listens once it listens.
        #expect(try agent.firstOutput().contains("SSH_AUTH_SOCK=\(socket)"))
    }

    deinit {
        agent.end()
        Litter.remove(folder.path)
    }

    /// A script, written by another process: a child of this one could hold it open.
    static func write(_ text: String, to path: String) throws {
        // Written by another process: a program that this one starts meanwhile keeps it open.
        let script = #"printf %s "$1" >"$2" && chmod 700 "$2""#
        _ = try runProgram(["/bin/sh", "-c", script, "sh", text, path])
    }

    private static func dialog(_ answer: String, log: String) -> String {
        """
        #!/bin/sh
        echo 'OK hello'
        while read -r line; do
            echo "$line" >>'\(log)'
            case $line in
            \(answer)
            *) echo OK ;;
            esac
        done
        """
    }

    /// What the dialogs were told.
    var prompts: String {
        (try? String(contentsOfFile: folder.path + "/prompts", encoding: .utf8)) ?? ""
    }

    /// Sends a signal to the agent.
    func signal(_ number: Int32) { kill(agent.processID, number) }

    /// Runs a program of the system, or of this package.
    @discardableResult
    func run(
        _ words: String...,
        input: String? = nil,
        variables: [String: String] = [:]
    ) throws -> Output {
        let own = Self.programs.appending(path: words[0])
        let isOwn = FileManager.default.isExecutableFile(atPath: own.path)
        let result = try runProgram(
            isOwn ? [own.path] + words.dropFirst() : words,
            input: input ?? "",
            environment: environment.merging(variables) { $1 },
            directory: folder.path
        )
        return Output(status: result.status, text: result.output)
    }

    /// Runs lines of shell.
    @discardableResult
    func shell(_ script: String, input: String? = nil) throws -> Output {
        try run("bash", "-euc", script, input: input)
    }

    /// Makes a key and gives it to the agent, with options of ssh-add; no file keeps the private
    /// half, which ssh-keygen would use in place of the agent.
    func addKey(_ name: String, _ type: String = "ed25519", options: String = "") throws {
        let output = try shell(
            "ssh-keygen -q -t \(type) -N '' -C \(name) -f \(name) && ssh-add -q \(options) \(name)"
                + " && rm \(name)"
        )
        #expect(output.status == 0, "\(output.text)")
    }

    /// Makes keys and gives them to the agent: name, type, options of ssh-add.
    func addKeys(_ keys: [(name: String, type: String, options: String)]) throws {
        for key in keys { try addKey(key.name, key.type, options: key.options) }
    }

    /// Makes keys of the keychain, each with options of `keychainctl ssh generate`.
    func generate(_ keys: String...) throws {
        for options in keys {
            let program = "'\(Self.programs.path)/keychainctl'"
            let output = try shell("\(program) ssh generate \(options)")
            #expect(output.status == 0, "\(output.text)")
        }
    }

    /// Writes the public half of each listed key to a file with its comment's name.
    func writePublicKeys() throws {
        try shell(
            "ssh-add -L | while read -r type key name; do echo $type $key $name >$name.pub; done"
        )
    }

    /// Waits until a condition holds, or for a minute.
    static func waits(until holds: () throws -> Bool) rethrows -> Bool {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(60) {
            if try holds() { return true }
        }
        return false
    }

    /// The comments of what ssh-add lists.
    func listed() throws -> [String] {
        let output = try run("ssh-add", "-L")
        guard output.status == 0 else { return [] }
        return output.text.split(separator: "\n").compactMap {
            $0.split(separator: " ").last.map(String.init)
        }
    }

    /// Whether ssh-keygen gets a signature with the key of a `.pub` file, and verifies it.
    func signs(with file: String) throws -> Bool {
        let output = try shell(
            """
            echo "ada $(cat \(file))" >allowed
            ssh-keygen -q -Y sign -n file -f \(file) <<<text >signature
            ssh-keygen -q -Y verify -n file -f allowed -I ada -s signature <<<text
            """
        )
        return output.status == 0
    }
}
