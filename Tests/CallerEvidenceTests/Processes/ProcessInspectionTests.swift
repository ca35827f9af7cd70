import CallerEvidence
import Foundation
import Glibc
import ProcessWitness
import TestSupport
import Testing

/// What all suites with real processes start from.
struct Scene {
    let stage: Stage
    let source: LocalEvidenceSource

    init() throws {
        stage = try Stage.shared.get()
        source = LocalEvidenceSource(clientGroup: stage.group)
    }

    /// The evidence of a command line that the first account runs.
    func evidence(of command: String, isNested: Bool = false) throws -> Evidence {
        let program = try RunningProgram(command, as: stage.first, isNested: isNested)
        return try program.evidence(by: source, as: stage.first)
    }

    func level(_ evidence: Evidence) -> EvidenceLevel {
        CallerJudge.system().judge(evidence, accountName: "ann").level
    }
}

private func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

@Suite(.enabled(if: Root.isHere, Root.reason)) struct `The evidence of a program` {
    private let scene: Scene
    private var stage: Stage { scene.stage }

    init() throws { scene = try Scene() }

    @Test func `is its path, its digest and its owner`() throws {
        let evidence = try scene.evidence(of: "\(stage.directory)/waiter")
        let executable = try #require(evidence.executable)
        let digest = executable.digest?.map { String(format: "%02x", $0) }.joined()
        let expected = try shell("sha256sum \(stage.directory)/waiter").output.prefix(64)
        #expect(executable.path == "\(stage.directory)/waiter")
        #expect(digest == String(expected))
        #expect(executable.isPresent)
        #expect(executable.isRootOwned)
        #expect(!executable.isReplaceable)
        #expect(evidence.foreignMappings.isEmpty)
        #expect(!evidence.isInOtherUserNamespace)
        #expect(scene.level(evidence) == .observed)
    }

    @Test(.requirement("DMN-04")) func `is verified for a protected program`() throws {
        let evidence = try scene.evidence(of: "\(stage.directory)/protected")
        #expect(evidence.isExecutedSecurely)
        #expect(scene.level(evidence) == .verified)
    }

    @Test func `follows a symbolic link to the file that runs`() throws {
        let folder = try stage.folder(of: stage.first)
        symlink("\(stage.directory)/waiter", "\(folder)/link")
        let evidence = try scene.evidence(of: "\(folder)/link")
        #expect(evidence.executable?.path == "\(stage.directory)/waiter")
    }

    @Test(.requirement("DMN-04")) func `of a hard link to a protected program is worth nothing`()
        throws
    {
        let folder = try stage.folder(of: stage.first)
        try prepare("ln \(stage.directory)/protected \(folder)/link")
        let evidence = try scene.evidence(of: "\(folder)/link")
        #expect(evidence.executable?.path == "\(folder)/link")
        #expect(evidence.executable?.isReplaceable == true)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(.requirement("DMN-04"))
    func `of a set-group-ID copy that the account owns is worth nothing`() throws {
        let folder = try stage.folder(of: stage.first)
        let copy = "\(folder)/protected"
        try prepare(
            "cp \(stage.directory)/waiter \(copy)"
                + " && chown \(stage.first):\(stage.group) \(copy) && chmod 2755 \(copy)"
        )
        let evidence = try scene.evidence(of: copy)
        #expect(evidence.executable?.hasClientGroup == true)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(.requirement("DMN-05"))
    func `in a directory that the account may write is worth nothing`() throws {
        let folder = try stage.folder()
        try prepare("cp \(stage.directory)/waiter \(folder)/program && chmod 1777 \(folder)")
        let evidence = try scene.evidence(of: "\(folder)/program")
        #expect(evidence.executable?.isPresent == true)
        #expect(evidence.executable?.isReplaceable == true)
        #expect(evidence.executable?.isRootOwned == false)
    }

    @Test func `in another account's directory is observed at most`() throws {
        let folder = try stage.folder(of: stage.second)
        let copy = "\(folder)/protected"
        try prepare(
            "cp -p \(stage.directory)/protected \(copy)"
                + " && chgrp \(stage.group) \(copy) && chmod 2755 \(copy)"
        )
        let evidence = try scene.evidence(of: copy)
        #expect(scene.level(evidence) == .observed)
    }

    @Test(.requirement("DMN-05")) func `of a script is its interpreter`() throws {
        let script = "\(stage.directory)/script"
        try prepare("printf '#!/bin/sh\\nprintf r; read x' > \(script) && chmod 755 \(script)")
        let evidence = try scene.evidence(of: script)
        #expect(evidence.executable?.path != script)
        #expect(scene.level(evidence) == .nobody)
    }

    /// Each as the distribution has it, which writes a byte when it runs.
    private static let interpreters = [
        "python3": "-c 'import sys; sys.stdout.write(\"r\"); sys.stdout.flush(); sys.stdin.read()'",
        "bash": "-c 'printf r; read word'",
        "perl": "-e '$| = 1; print \"r\"; <STDIN>'",
    ]

    @Test(.requirement("DMN-05"), arguments: ["python3", "bash", "perl"])
    func `of an interpreter that is installed is worth nothing, and says which one it is`(
        name: String
    ) throws {
        let path = try #require(["/usr/bin/", "/bin/"].map { $0 + name }.first(where: isProgram))
        let program = try #require(Self.interpreters[name])
        let evidence = try scene.evidence(of: "\(path) \(program)")
        let judged = CallerJudge.system().judge(evidence, accountName: "ann")
        #expect(judged.level == .nobody)
        let file = try #require(evidence.executable?.path)
        #expect(judged.reasons.contains { $0.hasPrefix("\(file) runs the programs of others") })
    }

    /// Debian has it in a package that set-up does not install.
    @Test(.enabled(if: isProgram("/usr/bin/node"), "Debian's node is not installed"))
    func `of node is worth nothing`() throws {
        let script = "process.stdout.write(\"r\"); process.stdin.resume()"
        let evidence = try scene.evidence(of: "/usr/bin/node -e '\(script)'")
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(.requirement("DMN-05"))
    func `of a program that the loader was told to run is the loader`() throws {
        let loader = try shell("readlink -f /lib64/ld-linux-x86-64.so.2 || ls /lib/ld-linux*")
            .output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let evidence = try scene.evidence(of: "\(loader) \(stage.directory)/protected")
        #expect(evidence.executable?.path == loader)
        #expect(!evidence.isExecutedSecurely)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(.requirement("DMN-05")) func `of a program that is only in memory is worth nothing`()
        throws
    {
        let directory = stage.directory
        let evidence = try scene.evidence(of: "\(directory)/frommemory \(directory)/waiter")
        #expect(evidence.executable?.isPresent == false)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test func `of a program with a line break in its path is its path`() throws {
        let folder = try stage.folder()
        let path = "\(folder)/a\nb (deleted)"
        try FileManager.default.copyItem(atPath: "\(stage.directory)/waiter", toPath: path)
        let evidence = try scene.evidence(of: "'\(path)'")
        #expect(evidence.executable?.path == path)
        #expect(evidence.executable?.isPresent == true)
        #expect(evidence.foreignMappings.isEmpty)
    }

    @Test(arguments: ["deleted", "replaced", "moved over"])
    func `is worth nothing when its file is no longer there`(how: String) throws {
        let folder = try stage.folder()
        let path = "\(folder)/program"
        try prepare(
            "cp \(stage.directory)/waiter \(path) && cp \(stage.directory)/waiter \(path).new"
        )
        let program = try RunningProgram(path, as: stage.first)
        #expect(scene.level(try program.evidence(by: scene.source, as: stage.first)) == .observed)
        let commands = [
            "deleted": "rm \(path)",
            "replaced": "rm \(path) && cp \(stage.directory)/waiter '\(path) (deleted)'",
            "moved over": "mv -f \(path).new \(path)",
        ]
        try prepare(commands[how] ?? "false")
        let evidence = try program.evidence(by: scene.source, as: stage.first)
        #expect(evidence.executable?.isPresent == false)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test func `moves with a directory above its file, and is not what comes to its old path`()
        throws
    {
        let folder = try stage.folder()
        try prepare("mkdir \(folder)/a && cp \(stage.directory)/waiter \(folder)/a/program")
        let program = try RunningProgram("\(folder)/a/program", as: stage.first)
        try prepare("mv \(folder)/a \(folder)/b && cp -r \(folder)/b \(folder)/a")
        let evidence = try program.evidence(by: scene.source, as: stage.first)
        #expect(evidence.executable?.path == "\(folder)/b/program")
        #expect(evidence.executable?.isPresent == true)
    }

    @Test func `ends with the process`() throws {
        let program = try RunningProgram("\(stage.directory)/waiter", as: stage.first)
        kill(program.processID, SIGKILL)
        program.wait()
        #expect(throws: EvidenceError.ended) {
            try program.evidence(by: scene.source, as: stage.first)
        }
    }

    @Test func `says that another program was executed`() throws {
        let directory = stage.directory
        let program = try RunningProgram(
            "\(directory)/becomes \(directory)/waiter",
            as: stage.first
        )
        let before = try program.evidence(by: scene.source, as: stage.first)
        try program.proceed()
        let after = try program.evidence(by: scene.source, as: stage.first)
        #expect(before.executable?.path == "\(directory)/becomes")
        #expect(after.executable?.path == "\(directory)/waiter")
        #expect(before.image != after.image)
    }

    @Test func `says that the same program was executed again`() throws {
        let path = "\(stage.directory)/becomes"
        let program = try RunningProgram("\(path) \(path) \(path)", as: stage.first)
        let before = try program.evidence(by: scene.source, as: stage.first)
        #expect(before == (try program.evidence(by: scene.source, as: stage.first)))
        try program.proceed()
        let after = try program.evidence(by: scene.source, as: stage.first)
        #expect(before.executable == after.executable)
        #expect(before.image != after.image)
    }
}
