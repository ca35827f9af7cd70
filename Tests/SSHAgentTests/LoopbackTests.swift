import Foundation
import TestSupport
import Testing

/// An sshd of its own, on this machine alone, that knows one account: root.
private final class Server {
    let port: Int
    private let service: Service

    init(_ session: AgentSession) throws {
        let folder = session.folder.path
        port = Int.random(in: 20_000..<32_000)
        try FileManager.default.createDirectory(
            atPath: "/run/sshd",
            withIntermediateDirectories: true
        )
        let output = try session.shell(
            """
            ssh-keygen -q -t ed25519 -N '' -f host; ssh-keygen -q -t ed25519 -N '' -f other
            cat >sshd_config <<END
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(folder)/host
            AuthorizedKeysFile \(folder)/authorized
            PidFile none
            PermitRootLogin yes
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            StrictModes no
            UsePAM no
            AllowAgentForwarding yes
            Subsystem sftp internal-sftp
            END
            cat >config <<END
            Host shop
                HostName 127.0.0.1
                Port \(port)
                User root
                UserKnownHostsFile \(folder)/known
                GlobalKnownHostsFile none
                BatchMode yes
                IdentityFile none
                HostKeyAlias shop
            END
            echo "shop $(cut -d' ' -f1,2 host.pub)" >known
            echo "bank $(cut -d' ' -f1,2 other.pub)" >>known
            touch authorized
            """
        )
        #expect(output.status == 0, "\(output.text)")
        service = try Service(
            ["/usr/sbin/sshd", "-D", "-e", "-f", folder + "/sshd_config"],
            session.environment
        )
        let probe = "exec 3<>/dev/tcp/127.0.0.1/\(port)"
        try #require(AgentSession.waits { try session.run("bash", "-c", probe).status == 0 })
    }

    deinit { service.end() }
}

@Suite(
    .requirement("AGT-02"),
    .enabled(if: geteuid() == 0, "sshd needs root."),
    .timeLimit(.minutes(10))
)
struct `ssh and sshd on this machine` {
    @Test func `log in with added keys, kept ones and those of the secure element`() throws {
        let session = try AgentSession()
        let server = try Server(session)
        try session.addKey("added", "rsa -b 2048")
        try session.generate("-C kept", "--element -C element")
        let output = try session.shell(
            """
            ssh-add -L | while read -r key; do
                echo "$key" >authorized
                echo "$key" >only.pub
                ssh -F config -o IdentitiesOnly=yes -i only.pub shop 'echo in' </dev/null
            done
            echo content >file
            scp -q -F config -o IdentitiesOnly=yes -i only.pub file shop:$PWD/copied
            cat copied
            """
        )
        #expect(output.text == "in\nin\nin\ncontent\n", "\(output.text)")
        withExtendedLifetime(server) {}
    }

    @Test func `use a key with destinations where it may be used, and nowhere else`() throws {
        let session = try AgentSession(pinentry: "CONFIRM) echo OK ;;")
        let server = try Server(session)
        try session.addKeys([
            ("here", "ed25519", "-H known -h root@shop"),
            ("there", "ed25519", "-H known -h root@bank"),
        ])
        try session.addKey("careful", options: "-c")
        #expect(try session.listed() == ["here", "there", "careful"])
        let output = try session.shell(
            """
            try() {
                cat $1.pub >authorized
                ssh -F config -o IdentitiesOnly=yes -i $1.pub shop 'echo in' </dev/null || true
            }
            try here; try there; try careful
            """
        )
        #expect(output.text.contains("in\n"), "\(output.text)")
        #expect(output.text.components(separatedBy: "in\n").count == 3, "\(output.text)")
        #expect(output.text.contains("Permission denied (publickey)"), "\(output.text)")
        #expect(try !session.signs(with: "here.pub"))
        let fingerprint = try session.run("ssh-keygen", "-lf", "host.pub").text.split(
            separator: " "
        )[1]
        #expect(session.prompts.contains("Host key: \(fingerprint)"), "\(session.prompts)")
        withExtendedLifetime(server) {}
    }

    @Test func `forward the agent without the keys that must stay here`() throws {
        let session = try AgentSession()
        let server = try Server(session)
        try session.addKey("free")
        try session.addKey("here", options: "-H known -h shop")
        try session.addKey("beyond", options: "-H known -h shop -h 'shop>bank'")
        let output = try session.shell(
            """
            cat free.pub >authorized
            ssh -A -F config -o IdentitiesOnly=yes -i free.pub shop '
                ssh-add -L | cut -d" " -f3
                cd \(session.folder.path)
                sign() { ssh-keygen -q -Y sign -n x -f $1.pub <known >/dev/null 2>&1; }
                sign free && echo "free signs"
                sign here || sign beyond || echo "others refuse"' </dev/null
            """
        )
        #expect(output.text == "free\nbeyond\nfree signs\nothers refuse\n", "\(output.text)")
        withExtendedLifetime(server) {}
    }
}
