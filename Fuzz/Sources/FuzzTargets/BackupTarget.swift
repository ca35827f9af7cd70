import Cryptography
import KeychainMessages
import KeychainModel
import Secrets

@testable import DataProtection
@testable import KeychainEngine

extension FuzzTarget {
    /// A backup without its codes, which are added here: a byte that says which part follows, then
    /// the fields of a header, or records before they are sealed, each with its size in two bytes.
    ///
    /// A header is written as it was read; of records, all are items and the end is the end.
    static let backup = FuzzTarget(name: "backup") { bytes throws(BrokenLaw) in
        var reader = InputReader(bytes)
        let part = reader.byte()
        return part & 1 == 0
            ? try readHeader([UInt8](reader.rest)) : try readRecords(&reader, part)
    }

    private static func readHeader(_ fields: [UInt8]) throws(BrokenLaw) -> Verdict {
        let code = [UInt8](repeating: 0, count: HMACSHA256.codeByteCount)
        let digest: [UInt8]
        do throws(CryptographyError) { digest = try Digest.sha256(fields + code) } catch {
            throw BrokenLaw(law: "a digest can be made")
        }
        let header: BackupHeader
        do throws(BackupError) {
            header = try BackupHeader(parsing: fields + code + digest)
        } catch { return .refused }
        try require(header.encodedFields == fields, "a header is written as it was read")
        return .accepted
    }

    private static func readRecords(
        _ reader: inout InputReader,
        _ part: UInt8
    ) throws(BrokenLaw) -> Verdict {
        do {
            let file = try BackupFixture.shared.file(records(&reader), hasTrailer: part & 2 == 0)
            let count = try BackupFixture.shared.read(file)
            return count > 0 ? .accepted : .refused
        } catch let error as KeychainError {
            try require(error.status == .decode, "a damaged backup is no other error")
            return .refused
        } catch let law as BrokenLaw {
            throw law
        } catch {
            throw BrokenLaw(law: "a backup can be put together: \(error)")
        }
    }

    private static func records(_ reader: inout InputReader) -> [[UInt8]] {
        var records: [[UInt8]] = []
        while !reader.rest.isEmpty, records.count < 16 {
            let size = Int(reader.byte()) << 8 | Int(reader.byte())
            records.append(reader.bytes(atMost: size))
        }
        return records
    }
}

/// A device, a password that everybody knows, and the header of a backup under it.
private final class BackupFixture: Sendable {
    static let shared = BackupFixture()

    private let device: Device
    private let password: BackupPassword
    private let header: [UInt8]
    private let cipher = ItemCipher(random: SeededRandomSource(seed: 2))

    private init() {
        let random = SeededRandomSource(seed: 1)
        let cost = Argon2id.Cost(memoryKiB: 8, passes: 1, lanes: 1)
        let salt = [UInt8](repeating: 7, count: BackupHeader.saltByteCount)
        do {
            let device = try Device(
                opening: MemoryStorage(),
                element: FixedElement(),
                stretchingCost: { cost },
                random: random,
                at: DeviceInstant(bootID: [UInt8](repeating: 1, count: 16), uptime: .zero)
            )
            let password = try BackupPassword(
                Secret(copying: [UInt8]("fuzz".utf8)),
                salt: salt,
                cost: cost
            )
            header = try device.makeBackupKeybag(
                under: password,
                salt: salt,
                cost: cost,
                includesThisDeviceOnly: true
            ).header
            self.device = device
            self.password = password
        } catch {
            preconditionFailure("The fixture's backup cannot be made: \(error)")
        }
    }

    /// A whole backup with these records: six open bytes each, then what is sealed.
    func file(_ records: [[UInt8]], hasTrailer: Bool) throws -> [UInt8] {
        let keybag = try device.openBackupKeybag(header, under: password)
        let code = keybag.headerCode
        var chain = try BackupChain(key: password.authenticationKey, headerCode: code)
        var file = header
        for (index, record) in records.enumerated() {
            let open = Array(record.prefix(BackupFormat.openByteCount))
            let sealed = try sealed(record, open, code, index, keybag)
            let body = open + sealed
            let part = BackupFormat.bigEndian(UInt32(body.count)) + body
            file += part + (try chain.extend(over: part))
        }
        guard hasTrailer else { return file }
        let trailer = [0, 0, 0, 0] + BackupFormat.bigEndian(UInt64(records.count))
        return file + trailer + (try chain.extend(over: trailer))
    }

    /// The sealed part of a record; as it is where no key is there to seal it with.
    private func sealed(
        _ record: [UInt8],
        _ open: [UInt8],
        _ code: [UInt8],
        _ index: Int,
        _ keybag: borrowing BackupKeybag
    ) throws -> [UInt8] {
        let plain = Array(record.dropFirst(BackupFormat.openByteCount))
        guard open.count == BackupFormat.openByteCount,
            let protection = ProtectionClass(rawValue: open[4])
        else { return plain }
        let associated = code + BackupFormat.bigEndian(UInt64(index)) + open
        let cipher = cipher
        let sealed = try keybag.withKey(protection) { key throws(CryptographyError) in
            try cipher.seal(Secret(copying: plain), associated, under: key)
        }
        return sealed ?? plain
    }

    /// Reads to the end.
    ///
    /// - Returns: how many items there were.
    func read(_ file: [UInt8]) throws -> Int {
        var rest = file.dropFirst(header.count)
        let source: BackupSource = { count throws(KeychainError) in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let keybag = try device.openBackupKeybag(header, under: password)
        let parts = try BackupParts(keybag: keybag, password: password, cipher: cipher)
        var reader = BackupReader(parts)
        var count = 0
        while true {
            switch try reader.next(from: source) {
            case .item(let read):
                count += 1
                let isAddressed = !read.item.accessGroup.isEmpty && read.item.accessControl == nil
                try require(isAddressed, "an item of a backup has a group and no gate")
            case .foreign: throw BrokenLaw(law: "every key of the fixture is there")
            case .end: return count
            }
        }
    }
}
