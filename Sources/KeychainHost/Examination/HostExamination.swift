import DataProtection
import Glibc
import KeychainEngine
import KeychainModel

/// An examination of a keychain from outside, openable or not, which changes nothing.
///
/// - Source: Documentation/Spec/store.md §1, keybag.md §1; requirement STO-21.
package struct HostExamination: Sendable {
    private let environment: ProcessEnvironment

    package init(_ environment: ProcessEnvironment) { self.environment = environment }

    /// Returns all observations that need no key, from the library up.
    package func observations() -> [Observation] {
        let library = Observation(.fine, "library", "SQLite \(ItemStore.libraryVersion)")
        // With a daemon, the directory of this environment does not matter.
        if let daemon = elsewhere() { return [library, daemon] }
        let home: KeychainHome
        do throws(KeychainError) { home = try KeychainHome(environment) } catch {
            let advice = "set KEYCHAIN_HOME or HOME"
            return [library, Observation(.problem, "location", error.reason, advice: advice)]
        }
        var found = [library, location(of: home)]
        found += directory(home)
        found += SessionExamination(environment).observations()
        found.append(noDaemon())
        found.append(identity())
        found += SourceExamination(home, environment).observation().map { [$0] } ?? []
        return found
    }

    private func location(of home: KeychainHome) -> Observation {
        let name = home.originWords ?? "nothing"
        return Observation(.fine, "location", "\(home.directory), from \(name)")
    }

    /// Returns the place of a keychain in another process; nil if this process has it.
    private func elsewhere() -> Observation? {
        if let device = try? SimulationSocket.named(in: environment) {
            let text = "\(SimulationSocket.variable) names \(device.name)"
            return Observation(.fine, "simulated device", text)
        }
        return DaemonSocket.found(environment).map { socket in
            Observation(.fine, "daemon", "the socket is \(socket.path)")
        }
    }

    private func noDaemon() -> Observation {
        guard let named = environment[DaemonSocket.variable] else {
            return Observation(.fine, "daemon", "none")
        }
        return Observation(
            .notice,
            "daemon",
            "\(DaemonSocket.variable) names \(named), where no socket is",
            advice: "start the daemon, or unset the variable"
        )
    }

    private func identity() -> Observation {
        do throws(KeychainError) {
            let identity = try CallerIdentity(environment)
            return Observation(
                .fine,
                "identity",
                "\(environment.executable); its groups come from \(identity.origin.words)"
            )
        } catch {
            let advice = "correct the property list, or unset KEYCHAIN_ENTITLEMENTS"
            return Observation(.problem, "identity", error.reason, advice: advice)
        }
    }
}

// The directory and its files.
extension HostExamination {
    private func directory(_ home: KeychainHome) -> [Observation] {
        var status = stat()
        guard lstat(home.directory, &status) == 0 else {
            let text = "it does not exist yet; the first command creates it"
            return [Observation(.notice, "directory", text)]
        }
        var found = [ownerOnly("directory", home.directory, .directory)]
        found += parents(of: home.directory)
        found.append(fileSystem(home.directory))
        found += HostFile.all.flatMap { $0.observations(in: home.directory) }
        if access(home.database, F_OK) == 0, access(home.keybag, F_OK) != 0 {
            found.append(
                Observation(
                    .problem,
                    "keybag",
                    "it is missing, and \(home.database) cannot be opened without it",
                    advice: "restore keybag and secure-element from a copy of this directory"
                )
            )
        }
        return found
    }

    private func ownerOnly(_ subject: String, _ path: String, _ kind: OwnerOnly.Kind) -> Observation
    {
        do throws(StorageError) {
            try OwnerOnly.check(path, is: kind)
            return Observation(.fine, subject, "\(path), which only this user can reach")
        } catch {
            let mode = kind == .directory ? "700" : "600"
            return Observation(
                .problem,
                subject,
                KeychainError(error).reason,
                advice: "find out who used it, then run chmod \(mode) \(path)"
            )
        }
    }

    /// Reports parent directories in which others could replace the keychain's directory.
    private func parents(of directory: String) -> [Observation] {
        var found: [Observation] = []
        var path = directory[...]
        while let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            path = path[..<slash]
            var status = stat()
            guard stat(String(path), &status) == 0 else { continue }
            let isOpen = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
            guard isOpen else { continue }
            found.append(
                Observation(
                    .problem,
                    "parent",
                    "others can write to \(path) and put another keychain in place of this one",
                    advice: "run chmod go-w \(path)"
                )
            )
        }
        return found
    }

    /// File systems on which several machines or programs cannot safely share a database.
    private static let remote: Set<String> = ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse", "afs"]

    private func fileSystem(_ path: String) -> Observation {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else {
            return Observation(.problem, "file system", "statvfs failed for \(path)")
        }
        let free = (UInt64(status.f_bavail) * UInt64(status.f_frsize)) >> 20
        if free < 16 {
            let text = "only \(free) MiB are free, so writes may fail"
            return Observation(.problem, "file system", text, advice: "free disk space")
        }
        let type = MountTable.fileSystemType(of: path) ?? "unknown"
        guard Self.remote.contains(String(type.prefix { $0 != "." })) else {
            return Observation(.fine, "file system", "\(type), \(free) MiB free")
        }
        return Observation(
            .notice,
            "file system",
            "\(type): the write-ahead log needs memory that all processes share",
            advice: "keep the keychain on a local disk, or use it from one machine only"
        )
    }
}
