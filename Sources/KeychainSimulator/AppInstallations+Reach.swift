import Foundation
import ProtectedFiles

// Unprotected files and defaults before the first unlock. Code opens them with Foundation, which
// the simulator cannot intercept. So their files leave the containers, and return after the unlock.
// Protected files stay in place, because their own keys lock them.
extension AppInstallations {
    /// The directory of all unprotected files before the first unlock.
    private var hidingPlace: URL { root.appendingPathComponent("before-first-unlock") }

    /// Returns the directory of one place's unprotected files before the first unlock.
    func hiddenFiles(of sandbox: Sandbox) -> URL {
        hidingPlace.appendingPathComponent(sandbox.container.lastPathComponent)
    }

    /// Hides unprotected files and defaults, or restores them.
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

    /// Moves files to the same paths below another directory.
    ///
    /// A moved file replaces one that exists already: on a real device, nobody could have written
    /// it.
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
    /// The name of the empty defaults that replace the real ones before the first unlock.
    var hiddenDefaultsName: String { defaultsName + "-before-first-unlock" }
}
