import Cryptography
import KeychainModel
import ProtectedFiles

/// Random damage to a protected file; each read returns the written bytes or an error.
struct FileDamageRun {
    private let seed: UInt64
    private let limit: Int
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private var random: SeededNumbers
    private var directory: String { scratch.directory("files") }

    init(seed: UInt64, limit: Int, _ report: TortureReport) throws(KeychainError) {
        self.seed = seed
        self.limit = limit
        self.report = report
        scratch = try ScratchDirectory()
        random = SeededNumbers(seed: seed)
    }

    mutating func run() throws(KeychainError) {
        var model = FileModel(seed: seed)
        try scratch.fill(directory, with: [:])
        do throws(FileFailure) {
            var file = try FileRig.create(directory)
            for _ in 0..<10 { file = try FileRig.carryOut(model.next(), on: file, directory) }
            try file.close()
        } catch { throw KeychainError(.io, "\(error)") }
        let whole = try ScratchDirectory.read(FileRig.path(directory))
        for number in 0..<limit {
            let (name, bytes) = damage(whole)
            try ScratchDirectory.write(bytes, to: FileRig.path(directory))
            try judge(name, number, model.content)
            if report.findings > 0 || report.isOver { return }
        }
    }

    private mutating func damage(_ whole: [UInt8]) -> (String, [UInt8]) {
        var bytes = whole
        let chunkCount = (whole.count - 8192 + 65563) / 65564
        let place = random.next(below: whole.count)
        switch random.next(below: chunkCount > 1 ? 6 : 4) {
        case 0, 1:
            bytes[place] ^= 1 << UInt8(random.next(below: 8))
            return ("flips", bytes)
        case 2:
            // The header is damaged as often as all the rest.
            bytes[place % 8192] ^= 1 << UInt8(random.next(below: 8))
            return ("flips", bytes)
        case 3: return ("cuts", Array(whole[..<place]))
        case 4:
            let (one, two) = (random.next(below: chunkCount), random.next(below: chunkCount))
            let (a, b) = (range(one, whole.count), range(two, whole.count))
            let count = min(a.count, b.count)
            bytes.replaceSubrange(a.prefix(count), with: whole[b.prefix(count)])
            bytes.replaceSubrange(b.prefix(count), with: whole[a.prefix(count)])
            return ("swaps", bytes)
        default:
            let (from, to) = (random.next(below: chunkCount), random.next(below: chunkCount))
            let (a, b) = (range(from, whole.count), range(to, whole.count))
            let count = min(a.count, b.count)
            bytes.replaceSubrange(b.prefix(count), with: whole[a.prefix(count)])
            return ("repeats", bytes)
        }
    }

    private func range(_ chunk: Int, _ count: Int) -> Range<Int> {
        let start = 8192 + chunk * 65564
        return start..<min(count, start + 65564)
    }

    private func judge(
        _ name: String,
        _ number: Int,
        _ content: [UInt8]
    ) throws(KeychainError) {
        report.add(name)
        do throws(FileFailure) {
            let file = try FileRig.open(directory, isWritable: false)
            defer { try? file.close() }
            let isRight = try FileRig.content(file) == content
            report.add(isRight ? "harmless" : "wrong")
            guard !isRight else { return }
            report.found(
                "damage \(number) (\(name)) gives a wrong content",
                repeatWith: "--seed \(seed) --part damage"
            )
        } catch {
            report.add("refused")
        }
    }
}
