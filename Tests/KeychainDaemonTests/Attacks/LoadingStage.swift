import Foundation
import Glibc
import TestSupport
import Testing

/// The package's own programs as an installation has them, a system daemon at its usual place, and
/// a directory of files with which an account tries to get into them.
///
/// All of it is in a mount namespace, so that the machine's own `/run` and `/etc` stay as they are.
final class LoadingStage {
    /// The programs that `Packaging/places.sh` protects.
    static let protected = [
        "keychainctl", "keychain-migrate", "keychain-agent", "keychain-pam", "keychain-ssh-agent",
        "keychain-sync",
    ]
    /// The programs that they start, which have no rights.
    static let companions = [
        "keychain-tpm", "keychain-bus", "keychain-doors", "keychain-relay", "keychain-fingerprint",
        "keychain-logind", "keychain-simulate",
    ]

    nonisolated(unsafe) private static let shared = Result { try LoadingStage() }

    static func current() throws -> LoadingStage { try shared.get() }

    private let stage: AttackStage
    private let space: AttackProcess
    /// The group of protected programs.
    let group: UInt32
    private var daemon: AttackDaemon?
    private var hasSecret = false

    private init() throws {
        stage = try AttackStage.current()
        let found = try #require(getgrnam("keychain-client"))
        group = found.pointee.gr_gid
        let folder = stage.folder + "/loading"
        try prepare("install -d -m 755 \(folder) \(folder)/run \(folder)/etc")
        let script = """
            set -e
            mount -t tmpfs tmpfs /run
            mount -t tmpfs -o mode=1777 tmpfs /tmp
            install -d -m 1777 /tmp/.X11-unix
            mkdir -p /run/keychain /run/upper /run/work
            mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/upper,workdir=/run/work /etc
            rm -rf /etc/keychain && install -d -m 755 /etc/keychain
            mount --bind \(folder)/run /run/keychain
            mount --bind \(folder)/etc /etc/keychain
            echo 'attack:x:\(stage.account):\(stage.account)::\(stage.own):/bin/sh' >>/etc/passwd
            echo 'attack:x:\(stage.account):' >>/etc/group
            echo ready
            read word
            """
        space = try AttackProcess(
            ["/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script],
            AttackStage.inherited
        )
        try space.line(with: "ready")
        try makePrograms()
        daemon = try AttackDaemon(folder + "/run", of: stage, after: inside)
        try makeFiles()
        atexit {
            guard case .success(let stage) = LoadingStage.shared else { return }
            try? stage.daemon?.end(with: SIGKILL)
            _ = try? stage.space.end(with: SIGKILL)
        }
    }

    /// The words in front of a command line that runs in the namespace.
    private var inside: [String] {
        ["/usr/bin/nsenter", "--mount", "--target", "\(space.number)", "--"]
    }

    private var folder: String { stage.folder + "/loading" }
    var account: UInt32 { stage.account }
    /// A directory of the account.
    var own: String { stage.own }
    /// Code of the account, which leaves a file where it is loaded.
    var code: String { own + "/code.so" }
    /// A program of the account.
    var script: String { own + "/script" }

    func program(_ name: String) -> String { stage.program(name) }

    private func makePrograms() throws {
        for name in Self.protected + Self.companions {
            let built = try DaemonBench.program(name)
            try prepare("cp \(built) \(program(name))")
        }
        for name in Self.protected {
            let file = program(name)
            try prepare("chgrp keychain-client \(file) && chmod 2755 \(file)")
        }
        try LoadingTracer.source.write(
            toFile: stage.folder + "/loading.c",
            atomically: true,
            encoding: .utf8
        )
        let tracer = stage.folder + "/loading.c"
        try prepare("clang -w -O1 -o \(stage.folder)/loading/tracer \(tracer)")
        let rows = Self.protected.map { name in
            let identifier = name == "keychain-migrate" ? "keychain" : name
            let known = name == "keychainctl" ? "keychain" : identifier
            return """
                {"program": "\(program(name))", "applicationIdentifier": "\(known)",
                "accessGroups": ["keychain"]}
                """
        }
        try stage.write(policy: "loading", "[" + rows.joined(separator: ",\n") + "]")
    }

    private func makeFiles() throws {
        try prepare("cp \(stage.program("libmark")) \(code) && ln -sf code.so \(own)/libc.so.6")
        let settings = """
            openssl_conf = all
            [all]
            providers = providers
            engines = engines
            [providers]
            code = code
            [code]
            module = \(code)
            activate = 1
            [engines]
            code = engine
            [engine]
            dynamic_path = \(code)
            init = 1
            """
        let files = [
            "openssl.cnf": settings,
            "gconv-modules": "module KEYCHAIN-ATTACK// INTERNAL code 1\n",
            "script": "#!/bin/sh\nexit 0\n", "lib.conf": own + "\n",
        ]
        for (name, text) in files {
            try text.write(toFile: "\(own)/\(name)", atomically: false, encoding: .utf8)
        }
        try prepare("cp \(script) \(own)/pinentry && cp \(script) \(own)/sh")
        try prepare("chmod 755 \(own)/script \(own)/pinentry \(own)/sh")
        // A keychain on a TPM, and a sealed passcode, as an account can make them up.
        try prepare("install -d -m 700 \(own)/keychain")
        try Data(Self.sealed).write(to: URL(filePath: own + "/keychain/sealed-passcode"))
        try prepare("chmod 600 \(own)/keychain/* && chown -R \(account):\(account) \(own)")
    }

    /// A made-up `sealed-passcode`, whose key libtss2 takes for one of a TPM.
    private static let sealed: [UInt8] = {
        let header = [UInt8]("swsealed".utf8) + [0, 1] + [UInt8](repeating: 1, count: 28)
        let area: [UInt8] = [0, 8, 0, 11, 0, 4, 4, 0x72, 0, 0, 0, 5, 0, 11, 0, 0]
        let key = [UInt8](repeating: 1, count: 34) + [0, UInt8(area.count)] + area + [0, 1, 7]
        return header + [0, UInt8(key.count)] + key + [UInt8](repeating: 2, count: 64)
    }()

    /// Writes a setting of root's; nil for none.
    func set(_ name: String, to text: String?, mode: mode_t = 0o644) throws {
        let file = stage.folder + "/loading/etc/" + name
        unlink(file)
        guard let text else { return }
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        chmod(file, mode)
    }

    /// Every variable by which an account could name code, a program or a place.
    ///
    /// `KEYCHAIN_SIM` and an empty `KEYCHAIN_SOCKET` are not here: with them a program gives up its
    /// rights at once, and may do as its account likes.
    var variables: [String: String] {
        var found = [
            "PATH": "\(own):/usr/bin:/bin", "HOME": own, "DISPLAY": ":77", "TERM": "xterm",
            "WAYLAND_DISPLAY": "wayland-77", "XAUTHORITY": own + "/lib.conf",
            "DBUS_SESSION_BUS_ADDRESS": "unixexec:path=\(script)",
            "DBUS_SYSTEM_BUS_ADDRESS": "unixexec:path=\(script)",
            "OPENSSL_CONF": own + "/openssl.cnf", "OPENSSL_MODULES": own, "OPENSSL_ENGINES": own,
            "TZ": ":" + own + "/lib.conf", "LANG": "evil.KEYCHAIN-ATTACK",
        ]
        let codes = [
            "LD_PRELOAD", "LD_AUDIT", "KEYCHAIN_ENTITLEMENTS", "KEYCHAIN_ETCD_CREDENTIALS",
        ]
        for name in codes { found[name] = code }
        let programs = [
            "KEYCHAIN_PINENTRY", "KEYCHAIN_FINGERPRINT", "EDITOR", "VISUAL", "PAGER", "BROWSER",
            "SHELL", "SSH_ASKPASS", "SUDO_ASKPASS", "GIT_ASKPASS",
        ]
        for name in programs { found[name] = script }
        let directories = [
            "LD_LIBRARY_PATH", "GCONV_PATH", "LOCPATH", "TMPDIR", "TZDIR", "NLSPATH", "ICU_DATA",
            "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
            "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "GTK_PATH", "QT_PLUGIN_PATH", "GIO_EXTRA_MODULES",
            "SASL_PATH", "KRB5_CONFIG", "CREDENTIALS_DIRECTORY", "SQLITE_TMPDIR",
        ]
        for name in directories { found[name] = own }
        found["KEYCHAIN_HOME"] = own + "/keychain"
        found["KEYCHAIN_UNLOCK_WITH"] = "tpm:" + code
        found["KEYCHAIN_SECURE_ELEMENT"] = "tpm2:" + code
        found["KEYCHAIN_UNLOCK_TIME"] = "1"
        found["KEYCHAIN_PROMPT"] = "auto"
        found["KEYCHAIN_DIAGNOSTICS"] = "1"
        found["KEYCHAIN_BEHAVIOR"] = "documented"
        return found
    }

    /// Runs a protected program as the account under the tracer.
    ///
    /// - Returns: The lines of the tracer, and of the program.
    func trace(
        _ words: [String],
        _ variables: [String: String],
        seconds: Int = 20
    ) throws -> [String] {
        try start(words, variables, seconds: seconds).end()
    }

    /// Starts it likewise, and lets it run.
    func start(
        _ words: [String],
        _ variables: [String: String],
        seconds: Int = 120
    ) throws -> AttackProcess {
        let tracer = stage.folder + "/loading/tracer"
        let names = [tracer, "\(account)", "\(group)", "\(seconds)"]
        let settings = ["/usr/bin/env", "-i"] + variables.map { "\($0)=\($1)" }
        return try AttackProcess(
            inside + names + settings + [program(words[0])] + words.dropFirst(),
            ["PATH": AttackStage.path]
        )
    }

    /// Starts a protected program that stays, untraced until it has said some words.
    ///
    /// - Returns: The program, and a tracer that follows it from then on.
    func serve(
        _ words: [String],
        _ variables: [String: String],
        until said: String
    ) throws -> (AttackProcess, AttackProcess) {
        let program = try launch(words, variables)
        try program.line(with: said)
        let tracer = try AttackProcess(
            inside + [folder + "/tracer", "\(account)", "\(group)", "120", "\(program.number)"],
            ["PATH": AttackStage.path]
        )
        try tracer.line(with: "attached")
        return (program, tracer)
    }

    /// Starts a protected program untraced: the daemon believes no program that is traced.
    func launch(_ words: [String], _ variables: [String: String]) throws -> AttackProcess {
        let settings = variables.map { "'\($0)=\($1)'" }.joined(separator: " ")
        let command = ([program(words[0])] + words.dropFirst()).joined(separator: " ")
        return try shell("exec env -i \(settings) \(command)")
    }

    /// Compiles a program in C, once.
    func compile(_ name: String, _ source: String, _ options: String = "") throws {
        let path = program(name)
        guard access(path, F_OK) != 0 else { return }
        try source.write(toFile: path + ".c", atomically: true, encoding: .utf8)
        try prepare("clang -w -O1 -o \(path) \(path).c \(options)")
    }

    /// Makes sure that the account's keychain has a passcode, is unlocked, and has the item `gated`
    /// with the value `typed`, which needs the passcode at each use.
    func keepSecret() throws {
        let command = program("keychainctl") + " -q"
        let input = "<\(own)/passcode"
        var lines = ["set -e", "printf '%s\\n' \(AttackStage.passcode) >\(own)/passcode"]
        if !hasSecret { lines.append("\(command) passcode set \(input)") }
        lines.append("\(command) unlock-keychain \(input)")
        if !hasSecret {
            let item = "-s gated -a a -w typed --require devicePasscode"
            lines.append("\(command) add-generic-password \(item)")
            lines.append("\(command) add-generic-password -s plain -a PLAIN -w open")
        }
        let said = try shell(lines.joined(separator: "\n") + "\necho kept").end()
        try #require(said == ["kept"], "\(said)")
        hasSecret = true
    }

    /// Starts a program that asks for the item `gated`, without a terminal.
    func ask() throws -> AttackProcess {
        try shell("exec \(program("keychainctl")) -q find-generic-password -s gated -w")
    }

    /// Runs a line of the shell as the account, in the namespace.
    func shell(_ line: String) throws -> AttackProcess {
        let identity = [
            "/usr/bin/setpriv", "--reuid", "\(account)", "--regid", "\(account)", "--clear-groups",
        ]
        return try AttackProcess(
            inside + identity + ["/bin/sh", "-c", line],
            ["PATH": AttackStage.path, "HOME": own]
        )
    }

    /// The lines that say that the account got into a process with rights, or that such a process
    /// gave its rights to another program, talked to a server of the account, or may leave a core.
    func breaches(_ lines: [String]) -> [String] {
        let protected = Set(Self.protected.map { "start raised \(program($0))" })
        return lines.filter { line in
            let breaches = ["loads ", "runs ", "connects elsewhere", "shows "]
            let isCode = breaches.contains(where: line.hasPrefix)
            let isServer = line.hasPrefix("connects \(own)")
            return isCode || isServer
                || line.hasPrefix("start raised ") && !protected.contains(line)
        }
    }
}
