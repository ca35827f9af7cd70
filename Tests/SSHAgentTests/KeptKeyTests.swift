import Foundation
import TestSupport
import Testing

@Suite struct `Keys of the keychain` {
    @Test(.requirement("AGT-03")) func `are served once they are made, and are items`() throws {
        let session = try AgentSession()
        try session.generate(
            "-C ed",
            "--type ecdsa -C p256",
            "-t ecdsa -b 521 -C p521",
            "--type rsa --size 2048 -C rsa",
            "--element -C element"
        )
        #expect(try session.listed() == ["ed", "p256", "p521", "rsa", "element"])
        try session.writePublicKeys()
        #expect(try session.listed().allSatisfy { try session.signs(with: $0 + ".pub") })
        let items = try session.run(
            "keychainctl",
            "find-key",
            "-l",
            "ed",
            "-t",
            "private",
            "--json"
        )
        #expect(items.text.contains(#""keyType": "Ed25519""#), "\(items.text)")
        let list = try session.run("keychainctl", "ssh", "list")
        #expect(list.text.contains("element  ECDSA    secure element"), "\(list.text)")
        #expect(try session.run("keychainctl", "ssh", "remove", "p521").status == 0)
        #expect(try session.run("keychainctl", "ssh", "remove", "p521.pub").status == 44)
        #expect(try session.listed() == ["ed", "p256", "rsa", "element"])
    }

    @Test(.requirement("AGT-03")) func `of the secure element are never exported`() throws {
        let session = try AgentSession()
        try session.generate("--element -C element")
        let output = try session.run(
            "keychainctl",
            "export",
            "-t",
            "privKeys",
            "-f",
            "pemseq",
            "-p"
        )
        #expect(!output.text.contains("PRIVATE KEY"), "\(output.text)")
        #expect(output.status != 0)
    }

    @Test func `are other keys only with the tag`() throws {
        let session = try AgentSession()
        let make = ["create-keypair", "-a", "ed25519"]
        let tagged = try session.run(
            "keychainctl",
            make[0],
            make[1],
            make[2],
            "--tag",
            "ssh",
            "mine"
        )
        #expect(tagged.status == 0, "\(tagged.text)")
        try session.run("keychainctl", make[0], make[1], make[2], "tls")
        #expect(try session.listed() == ["mine"])
    }

    @Test func `are kept from a file, with its certificate`() throws {
        let session = try AgentSession()
        try session.shell(
            """
            ssh-keygen -q -t ed25519 -N '' -C ca -f ca
            ssh-keygen -q -t rsa -b 2048 -N '' -C kept -f k && ssh-keygen -q -s ca -I x -n ada k.pub
            ssh-keygen -q -t ed25519 -N secret -C locked -f locked
            """
        )
        let kept = try session.run("keychainctl", "ssh", "add", "--keep", "k")
        #expect(kept.status == 0, "\(kept.text)")
        #expect(try session.listed() == ["kept", "kept"])
        #expect(
            try session.run("ssh-keygen", "-Y", "sign", "-n", "x", "-f", "k-cert.pub", "k.pub")
                .status == 0
        )
        let again = try session.run("keychainctl", "ssh", "add", "--keep", "k")
        #expect(again.status == 45)
        let locked = try session.run("keychainctl", "ssh", "add", "--keep", "locked")
        #expect(
            locked.text.contains("locked has a passphrase: remove its passphrase with ssh-keygen")
        )
        #expect(try session.run("keychainctl", "ssh", "add", "ca").status == 0)
        #expect(try session.listed() == ["ca", "kept", "kept"])
    }

    @Test func `are hidden by ssh-add, and back after SIGHUP`() throws {
        let session = try AgentSession()
        try session.generate("-C kept")
        #expect(try session.run("ssh-add", "-D").status == 0)
        #expect(try session.listed() == [])
        session.signal(SIGHUP)
        #expect(try AgentSession.waits { try session.listed() == ["kept"] })
    }

    @Test func `are listed if they are made or added after ssh-add removed all`() throws {
        let session = try AgentSession()
        try session.generate("-C before")
        try session.shell("ssh-add -L >before.pub")
        #expect(try session.run("ssh-add", "-D").status == 0)
        try session.generate("-C made")
        try session.shell("ssh-keygen -q -t ecdsa -N '' -C kept -f k")
        #expect(try session.run("keychainctl", "ssh", "add", "--keep", "k").status == 0)
        #expect(try session.listed() == ["made", "kept"])
        #expect(try !session.signs(with: "before.pub"))
        // The same key again is another item.
        #expect(try session.run("ssh-add", "-d", "k.pub").status == 0)
        #expect(try session.listed() == ["made"])
        #expect(try session.run("keychainctl", "ssh", "remove", "kept").status == 0)
        #expect(try session.run("keychainctl", "ssh", "add", "--keep", "k").status == 0)
        #expect(try session.listed() == ["made", "kept"])
    }

    @Test func `stay hidden if a locked keychain had them when all were removed`() throws {
        let session = try AgentSession()
        try session.generate("-C before")
        let tool = "keychainctl"
        #expect(try session.run(tool, "passcode", "set", input: "long enough 7\n").status == 0)
        #expect(try session.run(tool, "lock-keychain").status == 0)
        #expect(try session.run("ssh-add", "-D").status == 0)
        #expect(try session.run(tool, "unlock-keychain", input: "long enough 7\n").status == 0)
        #expect(try session.listed() == [])
        try session.generate("-C made")
        #expect(try session.listed() == ["made"])
    }

    @Test(.requirement("AGT-04"))
    func `are gone while the keychain is locked, and back without a restart`() throws {
        let session = try AgentSession()
        try session.generate("-C kept")
        try session.shell("ssh-add -L >kept.pub")
        try session.addKey("added")
        let tool = "keychainctl"
        #expect(try session.run(tool, "passcode", "set", input: "long enough 7\n").status == 0)
        // It is open after its first unlock, and so not even a locked keychain's data protection
        // hides it.
        let always = try session.run(
            tool,
            "create-keypair",
            "-a",
            "ed25519",
            "--tag",
            "ssh",
            "--accessible",
            "AfterFirstUnlock",
            "open"
        )
        #expect(always.status == 0, "\(always.text)")
        try session.shell("ssh-add -L | grep open >open.pub")
        #expect(try session.signs(with: "kept.pub"))
        #expect(try session.signs(with: "open.pub"))
        #expect(try session.run(tool, "lock-keychain").status == 0)
        #expect(try session.listed() == ["added"])
        #expect(try !session.signs(with: "kept.pub"))
        #expect(try !session.signs(with: "open.pub"))
        #expect(try session.signs(with: "added.pub"))
        #expect(try session.run(tool, "unlock-keychain", input: "long enough 7\n").status == 0)
        #expect(try session.listed() == ["added", "kept", "open"])
        #expect(try session.signs(with: "kept.pub"))
    }

    @Test(.requirement("AGT-03"))
    func `with user presence prompt for each signature, by their name`() throws {
        let session = try AgentSession(pinentry: #"GETPIN) printf 'D long enough 7\nOK\n' ;;"#)
        let set = try session.run("keychainctl", "passcode", "set", input: "long enough 7\n")
        #expect(set.status == 0, "\(set.text)")
        try session.generate("--require userPresence -C present")
        try session.generate("--element --require userPresence -C chip")
        #expect(try session.listed().sorted() == ["chip", "present"])
        #expect(session.prompts.isEmpty)
        try session.writePublicKeys()
        #expect(try session.signs(with: "present.pub"))
        #expect(session.prompts.contains("sign with the SSH key present"), "\(session.prompts)")
        #expect(try session.signs(with: "chip.pub"))
        #expect(session.prompts.contains("sign with the SSH key chip"), "\(session.prompts)")
    }
}
