import EngineTestSupport
import Foundation

/// Gives up root for good, in a process that ends with the test.
func becomeNobody(owning home: String) throws {
    guard geteuid() == 0 else { return }
    let names = FileManager.default.enumerator(atPath: home)?.compactMap { $0 as? String } ?? []
    for path in [home] + names.map({ home + "/" + $0 }) {
        try require(chown(path, 65534, 65534) == 0, path)
    }
    try require(setgid(65534) == 0 && setuid(65534) == 0, "setuid")
}
