import Cryptography
import DataProtection
import Foundation
import Glibc
import KeychainModel
import Secrets
import Testing

/// A keychain with the passcode `1234` and one item, and shell scripts in which an ordinary account
/// uses it.
///
/// Where root runs the tests, a script has mounts of its own: `/dev/shm` and the keychain's
/// directory are file systems that it may fill, change and mount read-only. Elsewhere the account
/// is the one that runs the tests.
struct LockScene {
    /// Accounts that nobody has.
    static let userID: uid_t = 54_323
    static let strangerID: uid_t = 54_324

    static var isRoot: Bool { geteuid() == 0 }

    private let workshop: Workshop
    private var userID: uid_t { Self.isRoot ? Self.userID : geteuid() }
    private var home: String { workshop.scratch.path + "/keychain" }

    init() throws {
        workshop = try Workshop()
        try #require(chmod(workshop.scratch.path, 0o711) == 0)
        try makeKeychain()
        guard Self.isRoot else { return }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: workshop.scratch.path)
        for path in [""] + paths {
            try #require(chown(workshop.scratch.path + "/" + path, userID, userID) == 0)
        }
    }

    /// Makes a device whose passcode is cheap to check, so that a test can unlock it often.
    private func makeKeychain() throws {
        let storage = try DirectoryStorage(path: home)
        let random = SystemRandomSource()
        _ = try Device(
            opening: storage,
            element: SoftwareSecureElement(storage: storage, random: random),
            creatingWith: SharedSecret(Secret(copying: "1234".utf8)),
            stretchingCost: { Argon2id.Cost(memoryKiB: 64, passes: 1, lanes: 1) },
            random: random,
            at: DeviceInstant.systemNow()
        )
    }

    /// Runs a script to its end; the lines that it wrote.
    func run(_ script: String) throws -> [String] {
        defer {
            removeImages()
            workshop.scratch.remove()
        }
        let mounts = Self.isRoot ? ["unshare", "--mount", "--propagation", "private"] : []
        let text = [settings, Self.verbs, Self.isRoot ? Self.mounts : "", Self.item, script]
        let words = mounts + ["sh", "-c", text.joined(separator: "\n")]
        let output = try workshop.run(words, input: "").output
        return output.split(separator: "\n").map(String.init)
    }

    /// Images of the machine's own `/dev/shm`, which a script without mounts has used.
    private func removeImages() {
        guard let keybag = FileManager.default.contents(atPath: home + "/keybag"),
            keybag.count > 20
        else { return }
        let prefix = "keychain-" + keybag[12..<20].map { String(format: "%02x", $0) }.joined()
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
        for name in names ?? [] where name.hasPrefix(prefix) { unlink("/dev/shm/" + name) }
    }

    private var settings: String {
        let drop = { (user: uid_t) in "setpriv --reuid=\(user) --regid=\(user) --clear-groups" }
        return """
            user=\(userID); scratch='\(workshop.scratch.path)'; home=$scratch/keychain
            program='\(workshop.products)/keychainctl'; inside=
            account='\(Self.isRoot ? drop(userID) : "")'
            stranger='\(Self.isRoot ? drop(Self.strangerID) : "")'
            """
    }
}

// What scripts are written in.
extension LockScene {
    /// `keychain_in ENVIRONMENT WORD…` and what is done with it; `images` are the paths of images.
    private static let verbs = """
        keychain_in() {
            environment=$1; shift
            enter=; [ "$environment" = container ] && enter=$inside
            set -- KEYCHAIN_HOME="$home" KEYCHAIN_UNLOCK_TIME=0 "$program" "$@"
            [ "$environment" = empty ] || set -- HOME="$scratch" PATH="$PATH" "$@"
            [ "$environment" = good ] && set -- XDG_RUNTIME_DIR="$scratch/good" "$@"
            [ "$environment" = another ] && set -- XDG_RUNTIME_DIR="$scratch/another" "$@"
            $enter $account env -i "$@"
        }
        unlock() {
            echo 1234 | keychain_in "$1" unlock-keychain >"$scratch/words" 2>&1
            echo "unlock $?"
        }
        lock() {
            keychain_in "$1" lock-keychain </dev/null >"$scratch/words" 2>&1
            echo "lock $?"
        }
        look() {
            value=$(keychain_in "$1" find-generic-password -s shop -w 2>"$scratch/words" </dev/null)
            echo "read $? $value" | sed 's/ $//'
        }
        words() { grep -o -m 1 "$1" "$scratch/words"; }
        images() { find /dev/shm "$scratch/good" -maxdepth 1 -name 'keychain-*-*' -user "$user"; }
        mkdir -m 700 "$scratch/good" "$scratch/another"
        """

    private static let mounts = """
        chown $user "$scratch/good" "$scratch/another"
        mount -t tmpfs -o mode=1777,size=1m tmpfs /dev/shm
        mount -t tmpfs -o mode=700,uid=$user,gid=$user,size=1m tmpfs "$scratch/good"
        cp -a "$home" "$scratch/seed"
        mount -t tmpfs -o mode=700,uid=$user,gid=$user,size=2m tmpfs "$home"
        cp -a "$scratch/seed/." "$home/"
        fill() { dd if=/dev/zero of="$1/fill" bs=512 2>/dev/null; }
        remount() { mount -o "remount,$1" "$2"; }
        """

    private static let item = """
        unlock unset >/dev/null
        printf hunter2 |
            keychain_in unset add-generic-password -a ada -s shop >"$scratch/words" 2>&1
        keychain_in unset lock-keychain >/dev/null 2>&1 </dev/null
        """
}
