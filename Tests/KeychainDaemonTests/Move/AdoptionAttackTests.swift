import Foundation
import Glibc
import TestSupport
import Testing

/// The account whose programs attack, and its keychain in the daemon.
private let account: UInt32 = 65_534
private let passcode = "correct-horse-battery"

/// A system daemon, the command, and a directory with a keychain of the attacker's making.
private struct AdoptionBench {
    let bench: DaemonBench
    let state: String

    init(_ options: [String] = []) throws {
        bench = try DaemonBench(servesAll: true)
        state = bench.folder + "/state"
        try bench.writePolicy()
        try bench.start(["--system", "--state", state] + options)
    }

    /// What the daemon keeps of the account: its keychain, and what was put aside.
    var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []
        return names.filter { $0.hasPrefix("\(account)") }.sorted()
    }

    /// Runs the command without a daemon, on the directory of the account.
    @discardableResult
    func embedded(_ words: String..., input: String = "") throws -> DaemonBench.Result {
        try bench.run(words, input: input, variables: ["KEYCHAIN_SOCKET": ""])
    }

    /// Makes a keychain in the directory of the account, with one item.
    func plant(_ name: String = "planted", value: String = "x") throws {
        let words = ["add-generic-password", "-s", "mail", "-a", name, "-U"]
        let result = try bench.run(words, input: value + "\n", variables: ["KEYCHAIN_SOCKET": ""])
        try #require(result.status == 0, "\(result.errors)")
    }

    func adopt(typing input: String = "") throws -> DaemonBench.Result {
        try bench.run("daemon", "adopt", input: input)
    }

    func setPasscode() throws {
        let result = try bench.run("passcode", "set", input: passcode + "\n")
        try #require(result.status == 0, "\(result.errors)")
    }

    /// Whether the daemon's keychain still has the passcode that was set.
    func hasPasscode() throws -> Bool {
        try bench.run("status", "--json").output.contains("\"passcodeSet\": true")
    }

    /// Adopts a keychain and releases it again; its directory is empty afterwards.
    ///
    /// - Returns: What the command said to the first step that did not work; nil if both did.
    func moveInAndOut() throws -> String? {
        try plant()
        let adopted = try adopt(typing: passcode + "\n")
        guard adopted.status == 0 else { return adopted.errors }
        try setPasscode()
        let released = try bench.run("daemon", "release", input: passcode + "\n")
        guard released.status == 0 else { return released.errors }
        #expect(released.output.contains("keychainctl daemon discard"))
        try prepare("rm -rf \(bench.folder)/own/keychain*")
        return nil
    }
}

@Suite(.enabled(if: geteuid() == 0, "several accounts need root"), .requirement("HRD-10"))
struct `A keychain of an attacker's making` {
    private let stage: AdoptionBench

    init() throws { stage = try AdoptionBench() }

    @Test func `replaces one with a passcode only for that passcode`() throws {
        try stage.setPasscode()
        try stage.plant()
        #expect(try stage.adopt().status != 0)
        #expect(try stage.adopt(typing: "wrong\n").status != 0)
        #expect(try stage.hasPasscode())
        #expect(try stage.embedded("find-generic-password", "-s", "mail", "-w").status == 0)
        let adopted = try stage.adopt(typing: passcode + "\n")
        #expect(adopted.status == 0, "\(adopted.errors)")
        #expect(try !stage.hasPasscode())
    }

    @Test func `replaces one that was never touched`() throws {
        #expect(try stage.bench.run("status").status == 0)
        try stage.plant()
        let adopted = try stage.adopt()
        #expect(adopted.status == 0, "\(adopted.errors)")
    }

    /// What was done to a keychain that has neither items nor a passcode afterwards.
    @Test(arguments: ["an item that is gone", "settings", "a passcode that is gone", "a file key"])
    func `replaces none that was used without a proof`(trace: String) throws {
        switch trace {
        case "an item that is gone":
            #expect(try stage.bench.add().status == 0)
            let words = ["delete-generic-password", "-s", "mail", "-a", "ada"]
            #expect(try stage.bench.run(words).status == 0)
        case "settings":
            let words = ["set-keychain-settings", "-u", "-t", "60"]
            #expect(try stage.bench.run(words).status == 0)
        case "a file key":
            let words = ["file", "write", stage.bench.folder + "/own/notes"]
            #expect(try stage.bench.run(words, input: "x").status == 0)
        default:
            try stage.setPasscode()
            let removed = try stage.bench.run("passcode", "remove", input: passcode + "\n")
            #expect(removed.status == 0, "\(removed.errors)")
        }
        try stage.plant()
        let adopted = try stage.adopt()
        #expect(adopted.status != 0)
        #expect(adopted.errors.contains("passcode"), "\(adopted.errors)")
        #expect(stage.names == ["\(account)"])
    }

    @Test func `takes no released one's place without its passcode`() throws {
        try stage.plant()
        #expect(try stage.adopt().status == 0)
        try stage.setPasscode()
        let released = try stage.bench.run("daemon", "release", input: passcode + "\n")
        try #require(released.status == 0, "\(released.errors)")
        let own = stage.bench.folder + "/own"
        try prepare("mv \(own)/keychain \(own)/elsewhere")
        try stage.plant("another")
        #expect(try stage.adopt().status != 0)
        #expect(try stage.adopt(typing: passcode + "\n").status == 0)
    }
}

/// A program that stores all the time while another one brings a keychain in.
@Suite(.enabled(if: geteuid() == 0, "several accounts need root"), .requirement("HRD-10"))
struct `A program that stores during an adoption` {
    @Test(arguments: 0..<4) func `finds everything that was acknowledged`(round: Int) throws {
        let stage = try AdoptionBench()
        let folder = stage.bench.folder
        try stage.plant(value: String(repeating: "x", count: 3_000_000))
        // Later rounds store earlier.
        if round > 1 { #expect(try stage.bench.run("status").status == 0) }
        let loop = """
            cd \(folder)/own; i=0; while [ ! -e stop ]; do i=$((i+1));
            echo x | \(try DaemonBench.program("keychainctl")) add-generic-password -s s -a $i \
            >/dev/null 2>&1 && echo $i; done; exec echo end
            """
        let user = String(account)
        let words = ["/usr/bin/setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
        let storing = try AttackProcess(
            words + ["/bin/sh", "-c", loop],
            ["KEYCHAIN_SOCKET": stage.bench.socket, "PATH": AttackStage.path, "HOME": folder]
        )
        if round % 2 == 0 { _ = try storing.line() }
        let adopted = try stage.adopt()
        try prepare("touch \(folder)/own/stop")
        let stored = try storing.end().filter { $0 != "end" }
        let found = try stored.map { name in
            try stage.bench.run("find-generic-password", "-s", "s", "-a", name).status
        }
        #expect(found.allSatisfy { $0 == 0 }, "\(adopted.errors)")
        // Whichever of them was first, the keychain that was to move is in one place.
        let planted = ["find-generic-password", "-s", "mail", "-a", "planted"]
        let place = adopted.status == 0 ? stage.bench.socket : ""
        let kept = try stage.bench.run(planted, variables: ["KEYCHAIN_SOCKET": place])
        #expect(kept.status == 0, "\(kept.errors)")
    }
}

@Suite(.enabled(if: geteuid() == 0, "several accounts need root"), .requirement("HRD-11"))
struct `The disk that moves of a keychain take` {
    @Test func `is no more than the account may have`() throws {
        let stage = try AdoptionBench(["--account-size", "1"])
        let own = stage.bench.folder + "/own"
        let value = String(repeating: "x", count: 700_000)
        let added = try ["one", "two"].map { name in
            try stage.bench.run(
                ["add-generic-password", "-s", "mail", "-a", name],
                input: value + "\n",
                variables: ["KEYCHAIN_SOCKET": ""]
            ).status
        }
        try #require(added == [0, 0])
        let adopted = try stage.adopt()
        #expect(adopted.status != 0)
        #expect(adopted.errors.contains("1 MiB"), "\(adopted.errors)")
        #expect(stage.names.allSatisfy { $0 == "\(account)" })
        #expect(access(own + "/keychain/keybag", F_OK) == 0)
    }

    @Test func `does not grow with each keychain that replaces another`() throws {
        let stage = try AdoptionBench()
        #expect(try stage.moveInAndOut() == nil)
        let refusal = try stage.moveInAndOut()
        #expect(refusal?.contains("keychainctl daemon discard") == true, "\(refusal ?? "")")
        #expect(stage.names.count == 2, "\(stage.names)")
        #expect(try stage.bench.run("daemon", "discard", input: passcode + "\n").status == 0)
        #expect(stage.names == ["\(account)"])
    }

    @Test func `is given back by the person without root`() throws {
        let stage = try AdoptionBench()
        try stage.plant()
        #expect(try stage.adopt().status == 0)
        try stage.setPasscode()
        #expect(try stage.bench.run("daemon", "release", input: passcode + "\n").status == 0)
        #expect(stage.names.count == 1)
        #expect(try stage.bench.run("daemon", "discard", input: "wrong\n").status != 0)
        #expect(stage.names.count == 1)
        let discarded = try stage.bench.run("daemon", "discard", input: passcode + "\n")
        #expect(discarded.status == 0, "\(discarded.errors)")
        #expect(stage.names.isEmpty, "\(stage.names)")
    }
}
