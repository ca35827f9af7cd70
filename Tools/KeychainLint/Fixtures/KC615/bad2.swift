import Foundation

extension FileManager {
    func secureRemove(_ url: URL) throws {
        let n = try attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
        let garbage = (0..<n).map { _ in UInt8.random(in: .min ... .max) }
        try Data(garbage).write(to: url)  // expect
        try removeItem(at: url)
    }
}
