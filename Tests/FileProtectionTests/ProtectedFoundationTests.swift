import KeychainSimulator
import ProtectedFoundation
import TestSupport
import Testing

// This file does not import Foundation: that is what makes Apple's calls reach ours.

@Suite struct `Code for Apple's platforms` {
    @Test(.requirement("FDP-13"))
    func `protects files unchanged, with one other import`() throws {
        let phone = try Phone()
        try phone.app.run {
            let url = URL(fileURLWithPath: phone.folder("a"))
            let data = Data("text".utf8)
            try data.write(to: url, options: [.atomic, .completeFileProtection])
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            let type = attributes[.protectionKey] as? FileProtectionType
            #expect(type?.rawValue == FileProtectionType.complete.rawValue)
            #expect(try Data(contentsOf: url) == Data("text".utf8))
            phone.device.lock()
            #expect {
                try Data(contentsOf: url)
            } throws: { error in
                (error as NSError).domain == NSCocoaErrorDomain && (error as NSError).code == 257
            }
            try phone.device.unlock(passcode: "0000")
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var place = url
            try place.setResourceValues(values)
            #expect(try ProtectedFile(opening: url).isExcludedFromBackup)
            try Data("plain".utf8).write(to: URL(fileURLWithPath: phone.folder("b")))
            #expect(!URL(fileURLWithPath: phone.folder("b")).isProtectedFile)
        }
    }
}
