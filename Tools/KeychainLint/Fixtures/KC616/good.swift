import Foundation

func session(_ data: Data) throws -> Session? {
    try NSKeyedUnarchiver.unarchivedObject(ofClass: Session.self, from: data)
}
