import Foundation
struct Session: Codable { let accessToken: String; let refreshToken: String }
func persist(_ session: Session) throws {
    let data = try PropertyListEncoder().encode(session)
    let path = NSTemporaryDirectory() + "session.plist"
    FileManager.default.createFile(atPath: path, contents: data)  // expect
}
