import CryptoKit
import Foundation
struct Session: Codable { let refreshToken: String }
func cache(_ session: Session, _ key: SymmetricKey, at path: String) throws {
    let plain = try JSONEncoder().encode(session)
    let sealed = try AES.GCM.seal(plain, using: key)
    FileManager.default.createFile(atPath: path, contents: sealed.combined)
}
func log(_ lines: [String], at path: String) {
    FileManager.default.createFile(atPath: path, contents: Data(lines.joined().utf8))
}
