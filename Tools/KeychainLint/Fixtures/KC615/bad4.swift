import Foundation

struct Shredder {
    func destroy(at url: URL) throws {
        let length = try Data(contentsOf: url).count
        for _ in 0..<3 {
            var noise = [UInt8](repeating: 0, count: length)
            _ = SecRandomCopyBytes(kSecRandomDefault, length, &noise)
            try Data(noise).write(to: url, options: .atomic)  // expect
        }
        try FileManager.default.removeItem(at: url)
    }
}
