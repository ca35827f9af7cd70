import CallerEvidence
import Foundation
import Glibc
import ProcessWitness
import TestSupport
import Testing

@Suite(.enabled(if: Root.isHere, Root.reason)) struct `A program in disguise` {
    private let scene: Scene
    private var stage: Stage { scene.stage }

    init() throws { scene = try Scene() }

    /// A library that the account could have written.
    private func library() throws -> String {
        let folder = try stage.folder(of: stage.first)
        let path = "\(folder)/lib.so"
        try prepare("cp \(stage.directory)/libforeign.so \(path) && chown \(stage.first) \(path)")
        return path
    }

    @Test(arguments: ["LD_PRELOAD", "LD_AUDIT"])
    func `is nobody with code of the account in it`(variable: String) throws {
        let library = try library()
        let evidence = try scene.evidence(
            of: "env \(variable)=\(library) \(stage.directory)/waiter"
        )
        #expect(evidence.foreignMappings == [library])
        #expect(scene.level(evidence) == .nobody)
    }

    @Test func `is nobody with code that was deleted after it was loaded`() throws {
        let library = try library()
        let command = "env LD_PRELOAD=\(library) \(stage.directory)/waiter"
        let program = try RunningProgram(command, as: stage.first)
        try prepare("rm \(library)")
        let evidence = try program.evidence(by: scene.source, as: stage.first)
        #expect(evidence.foreignMappings == ["\(library) (deleted)"])
    }

    @Test(.requirement("DMN-04"), arguments: ["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH"])
    func `gets no code into a protected program`(variable: String) throws {
        let library = try library()
        let value =
            variable == "LD_LIBRARY_PATH"
            ? (library as NSString).deletingLastPathComponent : library
        let evidence = try scene.evidence(
            of: "env \(variable)=\(value) \(stage.directory)/protected"
        )
        #expect(evidence.foreignMappings.isEmpty)
        #expect(scene.level(evidence) == .verified)
    }

    @Test(.requirement("DMN-04")) func `is not verified if its group was the client group before`()
        throws
    {
        let library = try library()
        let start = "setpriv --reuid \(stage.first) --regid \(stage.group) --clear-groups"
        let command = "\(start) env LD_PRELOAD=\(library) \(stage.directory)/protected"
        let program = try RunningProgram(command)
        let evidence = try program.evidence(by: scene.source, as: stage.first)
        #expect(!evidence.isExecutedSecurely)
        #expect(evidence.foreignMappings == [library])
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(.requirement("DMN-04"))
    func `is nobody if nothing may raise the rights of a protected program`() throws {
        let evidence = try scene.evidence(of: "setpriv --no-new-privs \(stage.directory)/protected")
        #expect(evidence.executable?.hasClientGroup == true)
        #expect(!evidence.isExecutedSecurely)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(arguments: ["traced", "threadtraced"])
    func `is nobody under a debugger`(program: String) throws {
        let evidence = try scene.evidence(of: "\(stage.directory)/\(program)")
        #expect(evidence.isTraced)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test func `is nobody with the rights of two accounts`() throws {
        let command = "setpriv --ruid \(stage.second) \(stage.directory)/waiter"
        let program = try RunningProgram(command)
        let evidence = try program.evidence(by: scene.source, as: stage.second)
        #expect(evidence.hasSeveralAccounts)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(.requirement("DMN-04")) func `is nobody in namespaces of its own`() throws {
        let evidence = try scene.evidence(
            of: "unshare -Urpm --fork --mount-proc \(stage.directory)/protected",
            isNested: true
        )
        #expect(evidence.isInOtherUserNamespace)
        #expect(!evidence.isExecutedSecurely)
        #expect(evidence.userID == stage.first)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(.requirement("DMN-04"))
    func `is nobody with its file mounted at a permitted program's path`() throws {
        let folder = try stage.folder(of: stage.first)
        let victim = "\(stage.directory)/protected"
        try prepare(
            "cp \(stage.directory)/waiter \(folder)/own && chown \(stage.first) \(folder)/own"
        )
        let script = "mount --bind \(folder)/own \(victim) && exec \(victim)"
        let evidence = try scene.evidence(of: "unshare -Urm sh -c '\(script)'")
        #expect(evidence.executable?.path == victim)
        #expect(evidence.executable?.isPresent == false)
        #expect(CallerJudge.system().judge(evidence, accountName: "ann").name.hasPrefix("process"))
    }

    @Test func `as a Flatpak has the Flatpak's rights and no others`() throws {
        let root = try stage.folder(of: stage.first)
        let info = "[Application]\\nname=org.example.Mailer\\n"
        let script = """
            mount -t tmpfs none \(root) \
            && mkdir -p \(root)/bin \(root)/lib \(root)/lib64 \(root)/usr \
            && printf "\(info)" > \(root)/.flatpak-info \
            && mount --rbind /lib \(root)/lib && mount --rbind /lib64 \(root)/lib64 \
            && mount --rbind /usr \(root)/usr \
            && cp \(stage.directory)/protected \(root)/bin/protected \
            && exec chroot \(root) /bin/protected
            """
        let evidence = try scene.evidence(of: "unshare -Urm sh -c '\(script)'")
        #expect(evidence.confinement == .flatpak("org.example.Mailer"))
        #expect(evidence.isInOtherUserNamespace)
        let policies = [
            ProgramPolicy(
                selector: .program("/bin/protected"),
                level: .nobody,
                accessGroups: ["a"]
            ),
            ProgramPolicy(selector: .account("ann"), accessGroups: ["b"]),
        ]
        let judged = CallerJudge.system(policies).judge(evidence, accountName: "ann")
        #expect(judged.level == .confined)
        #expect(judged.entitlements.accessGroups(on: .host) == ["flatpak:org.example.Mailer"])
    }

    @Test func `with a Flatpak's information that cannot be read is nobody`() throws {
        let root = try stage.folder(of: stage.first)
        let script = """
            mount -t tmpfs none \(root) && mkdir \(root)/bin \(root)/lib \(root)/lib64 \(root)/usr \
            && mkdir \(root)/.flatpak-info \
            && mount --rbind /lib \(root)/lib && mount --rbind /lib64 \(root)/lib64 \
            && mount --rbind /usr \(root)/usr && cp \(stage.directory)/waiter \(root)/bin/waiter \
            && exec chroot \(root) /bin/waiter
            """
        let evidence = try scene.evidence(of: "unshare -Urm sh -c '\(script)'")
        #expect(evidence.confinement == nil)
        #expect(scene.level(evidence) == .nobody)
    }

    @Test(.requirement("DMN-05")) func `is nobody on a file system of the account's own`() throws {
        let folder = try stage.folder()
        let options = "uid=\(stage.first),mode=755"
        try prepare(
            "mount -t tmpfs -o \(options) none \(folder) && cp \(stage.directory)/waiter \(folder)/"
        )
        defer { _ = try? shell("umount -l \(folder)") }
        let evidence = try scene.evidence(of: "\(folder)/waiter")
        #expect(evidence.executable?.isPresent == true)
        #expect(evidence.executable?.isReplaceable == true)
        #expect(scene.level(evidence) == .nobody)
    }
}

@Suite(.enabled(if: Root.isHere, Root.reason)) struct `A system service` {
    /// The hierarchy of systemd's groups, where this machine has one to write to.
    private static let hierarchy = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup"].first {
        access("\($0)/cgroup.procs", W_OK) == 0
    }

    @Test(.enabled(if: hierarchy != nil, "no hierarchy of control groups can be written here"))
    func `is known by its unit`() throws {
        let scene = try Scene()
        let folder =
            "\(try #require(Self.hierarchy))/system.slice/keychain-test-\(getpid()).service"
        try prepare("mkdir -p \(folder)")
        defer { _ = try? shell("rmdir \(folder)") }
        let program = try RunningProgram("\(scene.stage.directory)/waiter", as: scene.stage.first)
        try prepare("echo \(program.processID) > \(folder)/cgroup.procs")
        let evidence = try program.evidence(by: scene.source, as: scene.stage.first)
        #expect(evidence.systemUnit == "keychain-test-\(getpid()).service")
        program.end()
    }
}
