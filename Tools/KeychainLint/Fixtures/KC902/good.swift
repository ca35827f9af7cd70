import CryptoKit
import Foundation

func store(_ credentials: Credentials, at url: URL, key: SymmetricKey) throws {
    let data = try PropertyListEncoder().encode(credentials)
    let box = try AES.GCM.seal(data, using: key)
    try box.combined?.write(to: url)
}
