import Cryptography
import KeychainModel
import Secrets

@testable import KeychainAudit

extension FuzzTarget {
    /// A file of the daemon's log, codes included.
    ///
    /// Every line that is read is written as it was, byte for byte; reading a file with a key ends.
    static let auditLog = FuzzTarget(name: "audit-log") { bytes throws(BrokenLaw) in
        var scan = LogScan(bytes)
        var isAccepted = false
        var start = 0
        while let (piece, _) = scan.next() {
            let whole = bytes[start..<scan.offset]
            start = scan.offset
            switch piece {
            case .header(let header):
                try require(header.text.elementsEqual(whole), "a header is written as it was read")
                isAccepted = true
            case .line(let line):
                try require(line.text.elementsEqual(whole), "a line is written as it was read")
                isAccepted = true
            case .other, .unfinished: continue
            }
        }
        if let head = LogHead(parsing: bytes) {
            try require(head.text == bytes, "a head is written as it was read")
            isAccepted = true
        }
        let keys: AuditKeys
        do throws(KeychainError) {
            keys = try AuditKeys(Secret(copying: [UInt8](repeating: 7, count: 32)))
        } catch { throw BrokenLaw(law: "keys can be derived: \(error)") }
        let extent = LogExtent(of: bytes, keys: keys, interest: 2)
        try require(extent.byteCount <= bytes.count, "what is right is part of the file")
        var check = LogCheck(keys: keys, next: 1, last: 3)
        check.read(bytes, named: 1)
        _ = check.verdict(AuditKeys.noCode)
        return isAccepted ? .accepted : .refused
    }
}
