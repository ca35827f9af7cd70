import Foundation
import TestSupport
import Testing

@testable import keychain_ssh_agent

@Suite(.timeLimit(.minutes(10))) struct `SSH's own programs` {
    @Test(.requirement("AGT-02")) func `add, list, use and remove keys`() throws {
        let session = try AgentSession()
        #expect(try session.run("ssh-add", "-l").text == "The agent has no identities.\n")
        let types = ["ed25519", "rsa -b 2048", "ecdsa -b 256", "ecdsa -b 384", "ecdsa -b 521"]
        try session.addKeys(types.enumerated().map { ("k\($0)", $1, "") })
        #expect(try session.listed() == ["k0", "k1", "k2", "k3", "k4"])
        #expect(try types.indices.allSatisfy { try session.signs(with: "k\($0).pub") })
        #expect(try session.run("ssh-add", "-T", "k0.pub", "k4.pub").status == 0)
        #expect(try session.run("ssh-add", "-d", "k1.pub").status == 0)
        #expect(try session.run("ssh-add", "-d", "k1.pub").status == 1)
        #expect(try session.listed() == ["k0", "k2", "k3", "k4"])
        #expect(try !session.signs(with: "k1.pub"))
        #expect(try session.run("ssh-add", "-D").status == 0)
        #expect(try session.listed() == [])
    }

    @Test func `add a certificate beside its key`() throws {
        let session = try AgentSession()
        try session.shell(
            """
            ssh-keygen -q -t ed25519 -N '' -C ca -f ca
            ssh-keygen -q -t ecdsa -N '' -C certified -f k
            ssh-keygen -q -s ca -I ada -n ada k.pub
            ssh-add -q k
            """
        )
        #expect(try session.listed() == ["certified", "certified"])
        #expect(try session.run("ssh-add", "-L").text.contains("-cert-v01@openssh.com"))
        #expect(try session.run("ssh-add", "-T", "k-cert.pub").status == 0)
    }

    @Test func `have keys whose lifetime ends`() throws {
        let session = try AgentSession(["-t", "1h"])
        try session.addKey("short", options: "-t 1")
        try session.addKey("long")
        #expect(try AgentSession.waits { try session.listed() == ["long"] })
    }

    @Test func `lock and unlock the agent`() throws {
        let session = try AgentSession()
        try session.addKey("k")
        let ask = session.folder.path + "/ask"
        try AgentSession.write("#!/bin/sh\ncat '\(session.folder.path)/typed'\n", to: ask)
        let variables = ["SSH_ASKPASS": ask, "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":9"]
        func type(_ text: String, _ option: String) throws -> Int32 {
            try text.write(
                toFile: session.folder.path + "/typed",
                atomically: false,
                encoding: .utf8
            )
            return try session.run("ssh-add", option, variables: variables).status
        }
        #expect(try type("sesame", "-x") == 0)
        #expect(try session.listed() == [])
        #expect(try !session.signs(with: "k.pub"))
        #expect(try type("barley", "-X") == 1)
        #expect(try session.listed() == [])
        #expect(try type("sesame", "-X") == 0)
        #expect(try session.listed() == ["k"])
    }

    @Test(
        .requirement("AGT-03"),
        arguments: [
            ("CONFIRM) echo OK ;;", true), ("CONFIRM) echo ERR 83886179 cancelled ;;", false),
            ("CONFIRM) exit ;;", false),
        ]
    )
    func `ask before a key with confirmation signs`(answer: String, agrees: Bool) throws {
        let session = try AgentSession(pinentry: answer)
        try session.addKey("careful", options: "-c")
        #expect(try session.signs(with: "careful.pub") == agrees)
        let fingerprint = try session.run("ssh-keygen", "-lf", "careful.pub").text
            .split(separator: " ")[1]
        #expect(
            session.prompts.contains(
                "SETDESC Allow SSH to use the key%0A  \(fingerprint)?%0AComment: “careful”"
            )
        )
    }

    @Test(arguments: [
        (["-x"], "unknown option -x"), (["-D", "ls"], "these options take no command, such as ls"),
        (["-t", "never"], "-t needs a time, such as 600, 10m or 1h30m"),
        (["-E", "sha1"], "-E needs sha256 or md5"), (["-P"], "-P needs a list"),
        (["-Pa", "-P", "b"], "-P is there already"), (["-"], "unknown option -"),
        (
            ["-O", "everything"],
            "-O needs no-restrict-websafe, allow-remote-pkcs11 or websafe-allow=LIST"
        ),
    ])
    func `are told which word of a command line is wrong`(words: [String], reason: String) {
        let found = #expect(throws: AgentOptions.UsageError.self) {
            try AgentOptions.parse(words, shell: nil)
        }
        #expect(found?.reason == reason)
    }

    @Test func `take OpenSSH's options, with their values in the same word or behind it`() throws {
        let words = ["-Dst600", "-Emd5", "-P", "/usr/lib/*", "-Ono-restrict-websafe", "-a/tmp/x"]
        let options = try AgentOptions.parse(words, shell: "/bin/csh")
        #expect(options.mode == .foreground)
        #expect(options.shell == .bourne)
        #expect(options.lifetimeSeconds == 600)
        #expect(options.fingerprintHash == .md5)
        #expect(options.socket == "/tmp/x")
    }

    @Test(arguments: [
        ("echo yes", true), ("exit 0", true), ("echo no", false), ("echo yes; exit 1", false),
        ("exit 1", false),
    ])
    func `ask with the program of SSH_ASKPASS`(answer: String, agrees: Bool) throws {
        let session = try AgentSession(
            ["-E", "md5"],
            askpass: """
                echo "$SSH_ASKPASS_PROMPT: $1" >"$0.log"
                ls -l /proc/$$/fd | grep -c socket: >"$0.sockets"
                \(answer)
                """
        )
        try session.addKey("careful", options: "-c")
        #expect(try session.signs(with: "careful.pub") == agrees)
        let fingerprint = try session.run("ssh-keygen", "-E", "md5", "-lf", "careful.pub").text
            .split(separator: " ")[1]
        let path = session.folder.path + "/askpass"
        let asked = try String(contentsOfFile: path + ".log", encoding: .utf8)
        let question = "Allow SSH to use the key \(fingerprint)?\nComment: “careful”"
        #expect(asked == "confirm: \(question)\n")
        // Standard input and output are one socket; the connections of clients are not there.
        let sockets = try String(contentsOfFile: path + ".sockets", encoding: .utf8)
        #expect(sockets == "1\n" || sockets == "2\n", "\(sockets)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root is another account's root"))
    func `are served to root, and to no third account`() throws {
        let session = try AgentSession(user: "nobody")
        try session.addKey("of-root")
        #expect(try session.listed() == ["of-root"])
        let third = try session.shell(
            "chmod 711 . && chmod 666 agent && setpriv --reuid=1 --clear-groups ssh-add -l"
        )
        #expect(third.status != 0)
    }

    @Test func `take the question with them when they leave`() throws {
        let folder = #"$(dirname "$0")"#
        let session = try AgentSession(
            pinentry: """
                CONFIRM) trap "touch \(folder)/gone; exit" TERM
                    touch \(folder)/shown; while :; do sleep 0.05; done ;;
                """
        )
        try session.addKey("careful", options: "-c")
        let left = try session.shell(
            """
            ssh-keygen -q -Y sign -n file -f careful.pub <careful.pub & client=$!
            until [[ -e shown ]]; do sleep 0.05; done
            kill -KILL $client; until [[ -e gone ]]; do sleep 0.05; done
            """
        )
        #expect(left.status == 0)
        #expect(try session.listed() == ["careful"])
    }

    @Test func `get no signature that nobody can confirm`() throws {
        let session = try AgentSession()
        try session.addKey("careful", options: "-c")
        #expect(try !session.signs(with: "careful.pub"))
    }

    @Test(.requirement("AGT-02")) func `sign and verify a git commit`() throws {
        let session = try AgentSession()
        let made = try session.run("keychainctl", "ssh", "generate", "-C", "signer")
        #expect(made.status == 0, "\(made.text)")
        let output = try session.shell(
            """
            ssh-add -L >signer.pub
            echo "ada@example.org $(cat signer.pub)" >allowed
            git init -q -b main work && cd work
            git config user.name Ada && git config user.email ada@example.org
            git config gpg.format ssh && git config user.signingKey "$PWD/../signer.pub"
            git config gpg.ssh.allowedSignersFile "$PWD/../allowed"
            git commit -q -S --allow-empty -m 'A signed commit'
            git verify-commit HEAD
            """
        )
        #expect(output.status == 0, "\(output.text)")
        #expect(output.text.contains(#"Good "git" signature for ada@example.org"#))
    }
}

/// Connects 64 times, once more, and with sizes that no message has.
private let nonsense = """
    import os, socket, struct
    path = os.environ['SSH_AUTH_SOCK']
    def connect():
        s = socket.socket(socket.AF_UNIX); s.settimeout(60); s.connect(path); return s
    def ask(s, m):
        s.sendall(struct.pack('>I', len(m)) + m)
        n = struct.unpack('>I', s.recv(4))[0]
        return s.recv(n)
    first = [connect() for _ in range(64)]
    print(sum(ask(s, b'\\x0b') == b'\\x0c\\0\\0\\0\\0' for s in first))
    print(len(connect().recv(1)))
    for s in first: s.close()
    def served():
        # Connections that ended make room after a moment.
        while True:
            s = connect()
            try:
                if ask(s, b'\\x0b'): return s
            except (OSError, struct.error): s.close()
    for header in (b'\\0\\0\\0\\0', b'\\xff\\xff\\xff\\xff', b'\\0\\4\\0\\1'):
        s = served(); s.sendall(header); print(len(s.recv(1)))
    s = served(); s.sendall(b'\\0\\0'); s.close()
    print(ask(served(), b'\\xc8'))
    """

/// Starts an agent in the background, looks at its socket, and stops it.
private let lifecycle = """
    eval "$("$1" -s)"
    stat -c '%a' "$SSH_AUTH_SOCK" "$(dirname "$SSH_AUTH_SOCK")"
    ssh-add -l || true
    socket=$SSH_AUTH_SOCK
    eval "$("$1" -k)"
    for _ in {1..6000}; do [[ -e $socket ]] || break; sleep 0.01; done
    [[ ! -e $socket && -z ${SSH_AUTH_SOCK:-} ]] && echo gone
    """

@Suite(.timeLimit(.minutes(10))) struct `keychain-ssh-agent` {
    @Test func `runs a command, and ends with it`() throws {
        let session = try AgentSession()
        let program = AgentSession.programs.path + "/keychain-ssh-agent"
        let command = #"ssh-add -l; echo "$SSH_AUTH_SOCK $SSH_AGENT_PID""#
        let output = try session.run(program, "-t", "10m", "bash", "-c", command)
        let lines = output.text.split(separator: "\n").map(String.init)
        #expect(lines.first == "The agent has no identities.")
        let words = lines.last?.split(separator: " ").map(String.init) ?? []
        let process = try #require(words.last.flatMap { Int32($0) })
        #expect(
            AgentSession.waits {
                kill(process, 0) == -1 && !FileManager.default.fileExists(atPath: words[0])
            }
        )
    }

    @Test func `starts and stops in the background`() throws {
        let session = try AgentSession()
        let program = AgentSession.programs.path + "/keychain-ssh-agent"
        let output = try session.run("bash", "-euc", lifecycle, "bash", program)
        #expect(output.text.contains("600\n700\n"), "\(output.text)")
        #expect(output.text.hasSuffix("gone\n"), "\(output.text)")
    }

    @Test(
        arguments: [
            (["-a"], 2), (["-t", "0"], 2), (["-t", "1x"], 2), (["--frobnicate"], 2),
            (["-D", "true"], 2), (["-D", "-a", "/nonexistent/agent"], 1), (["--version"], 0),
            (["--help"], 0),
        ] as [([String], Int32)]
    )
    func `says what is wrong`(arguments: [String], status: Int32) throws {
        let program = AgentSession.programs.appending(path: "keychain-ssh-agent").path
        let result = try runProgram([program] + arguments)
        let text = result.output
        #expect(result.status == status)
        #expect(status == 0 || text.split(separator: "\n").count == 1, "\(text)")
    }

    @Test func `listens nowhere that others can rename`() throws {
        let session = try AgentSession()
        let program = AgentSession.programs.path + "/keychain-ssh-agent"
        let output = try session.shell(
            """
            mkdir -m 777 open && mkdir -m 700 open/mine && ln -s "$PWD" open/link && mkdir own
            for place in open open/mine open/link/own; do
                timeout 60 '\(program)' -D -a "$PWD/$place/socket" >out 2>&1 || echo $?
            done
            '\(program)' -D -a "$PWD/own/socket" >out 2>&1 &
            for _ in {1..6000}; do [[ ! -e own/socket ]] || break; sleep 0.01; done
            [[ -S own/socket ]] && echo listens
            kill $! && wait $! || true
            """
        )
        #expect(output.text == "1\n1\n1\nlistens\n", "\(output.text)")
    }

    @Test func `takes the socket of systemd`() throws {
        let session = try AgentSession()
        let program = AgentSession.programs.path + "/keychain-ssh-agent"
        // What systemd does: a listening socket as descriptor 3, and two variables.
        let output = try session.run(
            "python3",
            "-c",
            """
            import os, socket, subprocess, sys
            s = socket.socket(socket.AF_UNIX); s.bind('unit'); s.listen()
            child = os.fork()
            if child == 0:
                os.dup2(s.fileno(), 9); os.dup2(9, 3)
                os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')
                os.execv(sys.argv[1], ['agent', '-D'])
            s.close()
            os.environ['SSH_AUTH_SOCK'] = os.path.abspath('unit')
            print(subprocess.run(['ssh-add', '-l'], capture_output=True, text=True).stdout)
            os.kill(child, 15); print(os.waitpid(child, 0)[1])
            """,
            program
        )
        #expect(output.text == "The agent has no identities.\n\n0\n", "\(output.text)")
    }

    @Test func `bounds connections, and drops those that say nonsense`() throws {
        let session = try AgentSession()
        let output = try session.run(
            "python3",
            "-c",
            nonsense
        )
        #expect(output.text == "64\n0\n0\n0\n0\nb'\\x05'\n", "\(output.text)")
    }

    @Test(.enabled(if: geteuid() == 0, "Another account needs root."))
    func `serves no other account`() throws {
        let session = try AgentSession()
        try session.addKey("k")
        let output = try session.shell(
            "chmod 755 . && chmod 666 agent"
                + " && setpriv --reuid 65534 --clear-groups ssh-add -l || true"
        )
        #expect(!output.text.contains("SHA256"), "\(output.text)")
        #expect(try session.listed() == ["k"])
    }
}
