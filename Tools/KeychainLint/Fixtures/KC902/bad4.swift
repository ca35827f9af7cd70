import Foundation

struct Cache {
    func save(_ refreshToken: String, to folder: URL) throws {
        let d: NSDictionary = ["refreshToken": refreshToken]
        try d.write(to: folder.appendingPathComponent("auth.plist"))  // expect
    }
    func save2(_ token: String, path: String) {
        FileManager.default.createFile(atPath: path, contents: Data(token.utf8))
    }
}
