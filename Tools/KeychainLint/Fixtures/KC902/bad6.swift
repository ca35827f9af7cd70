import Foundation
class CredentialCache {
    static var fileURL: URL { URL.documentsDirectory.appending(path: "credentials") }
    func store(_ credential: OAuthCredential) {
        let data = try! NSKeyedArchiver.archivedData(withRootObject: credential, requiringSecureCoding: true)
        try? data.write(to: Self.fileURL, options: .atomic)  // expect
    }
}
