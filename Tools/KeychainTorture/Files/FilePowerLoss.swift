import Cryptography
import KeychainModel
import ProtectedFiles

/// Power cuts at every moment of a protected file's life.
///
/// Its content is that of the last completed flush, or of the flush in progress.
struct FilePowerLoss {
    private static let stepCount = 14
    private static let subsetCount = 3

    private let seed: UInt64
    private let interval: Int
    /// false to prove that the check works: the disk then makes nothing durable.
    private let heedsSyncs: Bool
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private var random: SeededNumbers
    /// The number of disk changes at the end of each step, and the content at that time.
    private var acknowledged: [(count: Int, content: [UInt8], step: String)] = []

    init(
        seed: UInt64,
        every interval: Int,
        heedsSyncs: Bool,
        _ report: TortureReport
    ) throws(KeychainError) {
        self.seed = seed
        self.interval = interval
        self.heedsSyncs = heedsSyncs
        self.report = report
        scratch = try ScratchDirectory()
        random = SeededNumbers(seed: seed)
    }

    /// Records one life, and checks every moment of it.
    mutating func run() throws(KeychainError) {
        do throws(FileFailure) { try record() } catch {
            throw KeychainError(.io, "\(error)")
        }
        let returns = Set(acknowledged.map(\.count))
        var disk = DiskModel()
        for (index, change) in DiskRecorder.changes.enumerated() {
            if case .sync = change.kind, !heedsSyncs { continue }
            disk.apply(change)
            let count = index + 1
            guard returns.contains(count) || count % interval == 0 else { continue }
            try cut(disk, after: count)
            if report.findings > 0 || report.isOver { return }
        }
        report.add("complete-lives")
    }

    private mutating func record() throws(FileFailure) {
        let directory = scratch.directory("files")
        do throws(KeychainError) { try scratch.fill(directory, with: [:]) } catch {
            throw .keychain(error)
        }
        DiskRecorder.start(directory)
        defer { DiskRecorder.stop() }
        var model = FileModel(seed: seed)
        var file = try FileRig.create(directory)
        acknowledged.append((DiskRecorder.count, [], "create"))
        for number in 0..<Self.stepCount {
            let step = model.next()
            file = try FileRig.carryOut(step, on: file, directory)
            acknowledged.append((DiskRecorder.count, model.content, "\(step)"))
            guard number % 5 == 4 else { continue }
            try file.close()
            file = try FileRig.open(directory)
        }
        try file.close()
    }

    private mutating func cut(_ disk: DiskModel, after count: Int) throws(KeychainError) {
        let outcomes: [DiskModel.Outcome] =
            [.everything, .nothing] + Array(repeating: .some, count: Self.subsetCount)
        for outcome in outcomes {
            let directory = scratch.directory("cut")
            try scratch.fill(directory, with: disk.state(outcome, &random))
            report.add("states")
            guard let complaint = complaint(directory, after: count) else { continue }
            let during = acknowledged.first { $0.count >= count }?.step ?? "the end"
            report.found(
                "power cut after change \(count) (\(outcome) of what was pending), during "
                    + "'\(during)': \(complaint)",
                repeatWith: "--seed \(seed) --part power"
            )
            return
        }
    }

    /// Returns the failure at this moment; nil if there is none.
    private func complaint(_ directory: String, after count: Int) -> String? {
        let returned = acknowledged.last { $0.count <= count }
        let underWay = acknowledged.first { $0.count > count }
        do throws(FileFailure) {
            let found = try FileRig.reopened(directory)
            if found == returned?.content || found == underWay?.content { return nil }
            return "\(found.count) bytes of neither content"
        } catch {
            // Before the file was created, none can be opened.
            if returned == nil, case .system = error { return nil }
            return "\(error)"
        }
    }
}
