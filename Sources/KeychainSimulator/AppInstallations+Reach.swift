import Foundation
import ProtectedFiles

// Plain files and defaults before the first unlock. Code opens them with Foundation, which the
// simulator cannot intercept. So their files leave the containers, and come back after the unlock.
// Protected files stay where they are: their own keys lock them.
extension AppInstallations {
    /// Where plain files are while they are out of reach.
    private var hidingPlace: URL { root.appendingPathComponent("before-first-unlock") }

    /// Where the plain files of one place are meanwhile.
    func hiddenFiles(of sandbox: Sandbox) -> URL {
        hidingPlace.appendingPathComponent(sandbox.container.lastPathComponent)
    }

    /// Takes plain files and defaults out of reach, or brings them back.
    func setReachable(_ isReachable: Bool) {
        guard changesReach(to: isReachable) else { return }
        for sandbox in places.values {
            let hidden = hiddenFiles(of: sandbox)
            if isReachable {
                Self.moveFiles(from: hidden, to: sandbox.container) { _ in true }
                removeDefaults(sandbox.hiddenDefaultsName)
            } else {
                Self.moveFiles(from: sandbox.container, to: hidden) { file in
                    !FileContainer.isProtected(file.path)
                }
            }
        }
        if isReachable { try? FileManager.default.removeItem(at: hidingPlace) }
    }

    /// Moves files to the same places below another directory.
    ///
    /// A file that is in the way goes: on a device, nobody could have written it.
    private static func moveFiles(
        from source: URL,
        to target: URL,
        where isIncluded: (URL) -> Bool
    ) {
        let files = FileManager.default
        for path in files.subpaths(atPath: source.path) ?? [] {
            let file = source.appendingPathComponent(path)
            let attributes = try? files.attributesOfItem(atPath: file.path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular, isIncluded(file)
            else { continue }
            let place = target.appendingPathComponent(path)
            try? files.createDirectory(
                at: place.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try? files.removeItem(at: place)
            try? files.moveItem(at: file, to: place)
        }
    }
}

extension AppInstallations.Sandbox {
    /// The empty defaults that stand for the real ones before the first unlock.
    var hiddenDefaultsName: String { defaultsName + "-before-first-unlock" }
}
