import Cryptography
import KeychainModel
import ProtectedFiles

/// Failures of each disk operation of each step, one at a time.
///
/// The step reports the failure or succeeds, and the file then has its content from before or
/// after.
struct FileFaults {
    private static let stepCount = 8

    private let seed: UInt64
    private let every: Int
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private var directory: String { scratch.directory("files") }
    private var source: String { scratch.directory("source") }

    init(seed: UInt64, every: Int, _ report: TortureReport) throws(KeychainError) {
        self.seed = seed
        self.every = every
        self.report = report
        scratch = try ScratchDirectory()
    }

    func run() throws(KeychainError) {
        var model = FileModel(seed: seed)
        try scratch.fill(source, with: [:])
        try tortureOwn { () throws(FileFailure) in
            try FileRig.create(source).close()
            for _ in 0..<3 { try carryOut(model.next()) }
        }
        for _ in 0..<Self.stepCount {
            let before = model.content
            let step = model.next()
            try sweep(step, before, model.content)
            if report.findings > 0 || report.isOver { return }
            try tortureOwn { () throws(FileFailure) in try carryOut(step) }
            report.add("steps")
        }
    }

    private func carryOut(_ step: FileStep) throws(FileFailure) {
        let file = try FileRig.open(source)
        let last = try FileRig.carryOut(step, on: file, source)
        try last.close()
        try file.close()
    }

    private func sweep(
        _ step: FileStep,
        _ before: [UInt8],
        _ after: [UInt8]
    ) throws(KeychainError) {
        for isRead in [false, true] {
            let faults = isRead ? [.inputOutput] : DiskFault.allCases
            for (index, fault) in faults.enumerated() {
                var number = index % every
                while try attempt(
                    step,
                    FaultPoint(fault: fault, number: number, isRead: isRead),
                    before,
                    after
                ) {
                    number += every
                    report.add("faults")
                    if report.findings > 0 || report.isOver { return }
                }
            }
        }
    }

    /// - Returns: false after the last operation.
    private func attempt(
        _ step: FileStep,
        _ point: FaultPoint,
        _ before: [UInt8],
        _ after: [UInt8]
    ) throws(KeychainError) -> Bool {
        try scratch.copy(source, to: directory)
        var file: FileContainer?
        try tortureOwn { () throws(FileFailure) in file = try FileRig.open(directory) }
        guard let opened = file else { return false }
        DiskFaults.watch(directory, point)
        var refusal: FileFailure?
        do throws(FileFailure) {
            file = try FileRig.carryOut(step, on: opened, directory)
        } catch { refusal = error }
        let hasHappened = DiskFaults.hasHappened
        // After a death, the process cannot close properly; after other faults it may try again.
        if point.fault.isDeath { try? close(file, opened) }
        DiskFaults.end()
        if !point.fault.isDeath {
            try? close(file, opened)
        }
        guard hasHappened else { return false }
        let allowed = refusal == nil ? [after] : [before, after] + step.parts(of: before)
        do throws(FileFailure) {
            let found = try FileRig.reopened(directory)
            if allowed.contains(found) { return true }
            tell(step, point, refusal, "\(found.count) bytes of a content that is not allowed")
        } catch { tell(step, point, refusal, "\(error)") }
        return true
    }

    private func close(_ file: FileContainer?, _ opened: FileContainer) throws(FileFailure) {
        defer { try? opened.close() }
        try file?.close()
    }

    private func tell(
        _ step: FileStep,
        _ point: FaultPoint,
        _ refusal: FileFailure?,
        _ complaint: String
    ) {
        let outcome = refusal.map { "refused: \($0)" } ?? "succeeded"
        report.found(
            "\(point) of '\(step)', which \(outcome): \(complaint)",
            repeatWith: "--seed \(seed) --part faults"
        )
    }

    /// Runs operations without faults.
    private func tortureOwn(_ body: () throws(FileFailure) -> Void) throws(KeychainError) {
        do throws(FileFailure) { try body() } catch { throw KeychainError(.io, "\(error)") }
    }
}
