import CallerEvidence
import TestSupport
import Testing

@testable import ProcessWitness

@Suite struct `A control group` {
    @Test(arguments: [
        ("0::/system.slice/shop.service", "shop.service"),
        ("0::/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service"),
        ("0::/system.slice/shop.service/worker/deep", "shop.service"),
        ("0::/system.slice/shop.service/false.service", "shop.service"),
        ("9:name=systemd:/system.slice/old.service\n0::/", "old.service"),
        ("1:name=systemd:/system.slice/old.service", "old.service"),
        ("0::/system.slice/a b:c.service", "a b:c.service"),
    ])
    func `names the unit of a system service`(text: String, unit: String) {
        #expect(ControlGroup.systemUnit(Array(text.utf8)) == unit)
    }

    @Test(arguments: [
        "", "0::/", "0::/user.slice/user-1000.slice/user@1000.service/app.slice/shop.service",
        "0::/system.slice/docker-1.scope", "0::/system.slice/shop.service (deleted)",
        "0::/system.slice", "0::/../system.slice/shop.service", "0::/machine.slice/a.service",
        "0::system.slice/shop.service", "5:memory:/system.slice/shop.service",
        "0::/init.scope\n1:name=systemd:/system.slice/shop.service",
        "0::/system.slice/made.scope/shop.service",
    ])
    func `of anything else names none`(text: String) {
        #expect(ControlGroup.systemUnit(Array(text.utf8)) == nil)
    }
}

@Suite struct `A security label` {
    @Test(arguments: [
        ("snap.mailer.mailer (enforce)\n", Confinement.snap("mailer")),
        ("snap.mailer_two.hook.configure (enforce)", .snap("mailer_two")),
        ("/usr/bin/mailer (enforce)", .label("/usr/bin/mailer")),
        ("name (with) blanks (kill)", .label("name (with) blanks")),
        ("system_u:system_r:mailer_t:s0-s0:c0.c1023\0", .label("mailer_t")),
        ("system_u:system_r:container_t:s0:c1,c2", .label("container_t")),
        ("a:b:mailer_t", .label("mailer_t")),
    ])
    func `names what confines the process`(text: String, confinement: Confinement) {
        #expect(SecurityLabel.confinement(Array(text.utf8)) == confinement)
    }

    @Test(arguments: [
        "", "unconfined", "unconfined\n", "mailer (complain)", "mailer (unconfined)",
        "snap.code.code (complain)", ":lxd_box:mailer (enforce)", "a//&:ns:b (enforce)",
        " (enforce)",
        "unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023", "user_u:user_r:user_t:s0",
        "system_u:system_r:unconfined_service_t:s0", "system_u:system_r:init_t:s0", "kernel",
    ])
    func `of a process that is free names nothing`(text: String) {
        #expect(SecurityLabel.confinement(Array(text.utf8)) == nil)
    }
}

@Suite struct `The information of a Flatpak` {
    @Test func `names the application`() {
        let text =
            "[Context]\nname=org.example.False\n[Application]\nx=y\nname=org.example.Mailer\n"
        #expect(FlatpakApplication.name(info: Array(text.utf8)) == "org.example.Mailer")
    }

    @Test(arguments: [
        "", "name=org.example.Mailer", "[Application]\nname=", "[Application]\nname=mailer",
        "[Application]\nname=org.example.Mai ler", "[Application]\nname=../../x.y.z/",
        "[Runtime]\nname=org.example.Mailer", "[Application]\nname=org..Mailer",
    ])
    func `without a name of an application names none`(text: String) {
        #expect(FlatpakApplication.name(info: Array(text.utf8)) == nil)
    }

    @Test func `is also told by what is mounted`() {
        let app = "/var/lib/flatpak/app/org.example.Mailer/x86_64/stable/0a1b/files"
        let line = "90 80 8:1 \(app) /app ro,nosuid - ext4 /dev/sda1 rw"
        #expect(
            FlatpakApplication.name(mounts: MountTable(Array(line.utf8))) == "org.example.Mailer"
        )
        let other = "90 80 8:1 /srv/files /app ro - ext4 /dev/sda1 rw"
        #expect(FlatpakApplication.name(mounts: MountTable(Array(other.utf8))) == nil)
    }
}

@Suite struct `A table of mounts` {
    private let table = MountTable(
        Array(
            """
            36 35 98:0 / / rw,noatime master:1 shared:2 - ext4 /dev/root rw
            37 36 0:30 / /mnt rw - fuse.sshfs me@host rw
            38 36 0:31 / /ntfs rw - fuseblk /dev/sdb1 rw
            x y z
            39 36 0:32 / /tmp\\040x rw - tmpfs none rw
            """.utf8
        )
    )

    @Test(arguments: [36, 39])
    func `knows what the kernel keeps`(mount: UInt64) { #expect(table.isKeptByKernel(mount)) }

    @Test(arguments: [37, 38, 40])
    func `trusts no file system that a program serves, and none that it does not know`(
        mount: UInt64
    ) { #expect(!table.isKeptByKernel(mount)) }
}

@Suite struct `The code mappings of a process` {
    private func mappings(_ text: String) -> [CodeMapping]? {
        CodeMapping.all(in: Array(text.utf8), limit: 8)
    }

    @Test func `are the files that are mapped as code, each once`() throws {
        let found = try #require(
            mappings(
                """
                55d0-55d1 r--p 00000000 fe:00 17                         /usr/bin/a
                55d1-55d2 r-xp 00001000 fe:00 17                         /usr/bin/a
                55d3-55d4 r-xp 00003000 fe:00 17                         /usr/bin/a
                7f00-7f01 rwxp 00000000 00:00 0
                7f02-7f03 r-xp 00000000 00:01 1024                       /memfd:x (deleted)
                7f04-7f05 r-xp 00000000 08:101 5                         /tmp/a b\\012c
                7ffd-7ffe r-xp 00000000 00:00 0                          [vdso]
                garbage
                """
            )
        )
        #expect(
            found.map { String(decoding: $0.path, as: UTF8.self) } == [
                "/usr/bin/a", "/memfd:x (deleted)", "/tmp/a b\\012c",
            ]
        )
        #expect(found.map(\.inode) == [17, 1024, 5])
        #expect(found.filter(\.isAmbiguous).map(\.inode) == [5])
        #expect(found[0].device == 0xFE00)
        #expect(found[2].device == 0x100801)
        #expect(found.filter(\.isOnVirtualDevice).map(\.inode) == [1024])
    }

    @Test func `are too many beyond the limit`() {
        let lines = (1...9).map { "1-2 r-xp 0 fe:00 \($0) /lib/\($0).so" }
        #expect(mappings(lines.dropLast().joined(separator: "\n"))?.count == 8)
        #expect(mappings(lines.joined(separator: "\n")) == nil)
    }
}

@Suite struct `The place of a program in memory` {
    private func stat(name: String, startCode: String = "94000", startStack: String = "140000")
        -> [UInt8]
    {
        let before = Array(repeating: "0", count: 22)
        let between = Array(repeating: "0", count: 18)
        let words = ["S"] + before + [startCode, "95000", startStack] + between + ["96000", "0"]
        return Array("77 (\(name)) \(words.joined(separator: " "))\n".utf8)
    }

    @Test func `is the same for the same places, whatever the name`() {
        let number = ProgramImage.number(stat(name: "a"))
        #expect(number != 0)
        #expect(number == ProgramImage.number(stat(name: "b) S 1 (c d")))
    }

    @Test func `differs with the stack and with the code`() {
        let number = ProgramImage.number(stat(name: "a"))
        #expect(number != ProgramImage.number(stat(name: "a", startStack: "140001")))
        #expect(number != ProgramImage.number(stat(name: "a", startCode: "94001")))
    }

    @Test func `is unknown without the right to look`() {
        #expect(ProgramImage.number(stat(name: "a", startCode: "1", startStack: "0")) == 0)
        #expect(ProgramImage.number([]) == 0)
        #expect(ProgramImage.number(Array("77 (a) S 1".utf8)) == 0)
    }
}

@Suite struct `The status of a process` {
    private static let text = """
        Name:\ta\\nUid:\t0
        Pid:\t77
        TracerPid:\t0
        Uid:\t1000\t1000\t1000\t1000
        Gid:\t1000\t998\t998\t998
        Groups:\t4 24 

        """

    @Test func `has its accounts and groups`() throws {
        let status = try #require(ProcessStatus(Array(Self.text.utf8)))
        #expect(status.userIDs == [1000, 1000, 1000, 1000])
        #expect(status.groups == [1000, 998, 4, 24])
        #expect(status.tracer == 0)
    }

    @Test(arguments: ["Uid", "Gid", "Groups", "TracerPid"])
    func `without one of its lines counts for nothing`(name: String) {
        let text = Self.text.replacing("\n\(name):", with: "\nOther:")
        #expect(ProcessStatus(Array(text.utf8)) == nil)
    }
}
