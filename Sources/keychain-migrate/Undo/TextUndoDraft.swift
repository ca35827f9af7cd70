import Foundation
import KeychainMigration
import PlaintextFormats
import Secrets

/// A draft of a plain text file with its secrets put back; it writes nothing.
struct TextUndoDraft {
    private typealias Entries = [String: PlaintextEntry]

    private let request: UndoRequest
    private let format: PlaintextFormat
    private var file: PlaintextFile
    private var hasChanged = false
    /// The outcomes, one for each secret of the run.
    private(set) var outcomes: [UndoOutcome]

    init(_ file: PlaintextFile, _ request: UndoRequest, _ format: PlaintextFormat) {
        self.file = file
        self.request = request
        self.format = format
        outcomes = request.all(.alreadyThere)
    }

    /// The new content; nil if nothing changes.
    var changed: SharedSecret? { hasChanged ? file.content : nil }

    /// Puts back every secret for which this is possible.
    ///
    /// - Parameters:
    ///   - hasRest: Whether a content equals the one that the migration left.
    ///   - hasMeaning: Whether it means the same, apart from what the user was told to add.
    /// - Throws: `PlaintextError` if the file is malformed without the run's secrets.
    mutating func restore(
        hasRest: (SharedSecret) -> Bool,
        hasMeaning: (SharedSecret) -> Bool
    ) throws(PlaintextError) {
        let present = Self.movable(file)
        outcomes = request.run.secrets.map { outcome(of: $0, present[$0.key]) }
        guard outcomes.contains(request.done) else { return }
        let rest = try withoutSecrets(file)
        let isUnchanged = hasRest(rest.content)
        if isUnchanged, !outcomes.contains(.missing), putAllBack(into: rest.content, present) {
            return
        }
        let isAsLeft = isUnchanged || hasMeaning(rest.content)
        guard isAsLeft || request.isForced || request.followsLaterRun else {
            replace(request.done, by: .changed("the file changed since the migration"))
            return
        }
        putBackOneByOne()
    }

    private func outcome(of taken: TakenSecret, _ entry: PlaintextEntry?) -> UndoOutcome {
        guard let entry else { return request.values[taken.key] == nil ? .missing : request.done }
        guard let value = request.values[taken.key], !value.matches(entry) else {
            return .alreadyThere
        }
        return request.isForced ? request.done : .changed("the file has another value")
    }

    /// Returns the file without any of the run's secrets, in the order of their removal.
    private func withoutSecrets(_ file: PlaintextFile) throws(PlaintextError) -> PlaintextFile {
        var rest = file
        for taken in request.run.secrets {
            guard let entry = Self.movable(rest)[taken.key] else { continue }
            rest = try PlaintextFile(SharedSecret(rest.removing(entry)), as: format)
        }
        return rest
    }

    /// Undoes every removal from last to first, so that each finds the bytes that it left.
    ///
    /// If the file has a secret already, it keeps the file's value, unless the user forces the
    /// keychain's.
    private mutating func putAllBack(into rest: SharedSecret, _ present: Entries) -> Bool {
        var content = rest
        for (taken, outcome) in zip(request.run.secrets, outcomes).reversed() {
            let entry = outcome == request.done ? nil : present[taken.key]
            guard case .text(let trace) = taken.origin,
                let secret = entry?.secret ?? request.values[taken.key]?.shared
            else { return false }
            let remark = entry?.remark ?? request.values[taken.key]?.sharedRemark
            guard let whole = trace.restored(in: content, secret, remark: remark) else {
                return false
            }
            content = whole
        }
        let returned = zip(request.run.secrets, outcomes).filter { $0.1 == request.done }
        return accept(content, restoring: returned.map(\.0))
    }

    /// Finds for each secret the place next to its old one at which the file reads correctly.
    private mutating func putBackOneByOne() {
        for index in request.run.secrets.indices.reversed() where outcomes[index] == request.done {
            let taken = request.run.secrets[index]
            guard case .text(let trace) = taken.origin, let value = request.values[taken.key] else {
                continue
            }
            let before = file
            let isBack = removePresent(taken.key) && putBack(taken, trace, value)
            if !isBack {
                // Another value that was written for the place stays.
                file = before
                outcomes[index] = .noPlace
            }
        }
    }

    /// Removes another value that was written for the same place.
    private mutating func removePresent(_ key: String) -> Bool {
        guard let entry = Self.movable(file)[key] else { return true }
        let rest = SharedSecret(file.removing(entry))
        guard let parsed = try? PlaintextFile(rest, as: format) else { return false }
        file = parsed
        return true
    }

    private mutating func putBack(
        _ taken: TakenSecret,
        _ trace: RemovalTrace,
        _ value: ReturnedValue
    ) -> Bool {
        guard trace.isPlausible, let offset = trace.gaps.first?.offset else { return false }
        let distances = [0] + starts.map { $0 - offset }.sorted { abs($0) < abs($1) }
        let shapes = format.isJSON ? trace.asMembers : [trace]
        let content = file.content
        return shapes.contains { shape in
            distances.contains { distance in
                let whole = shape.restored(
                    in: content,
                    value.shared,
                    remark: value.sharedRemark,
                    movedBy: distance
                )
                return whole.map { accept($0, restoring: [taken]) } ?? false
            }
        }
    }

    /// The greatest size in bytes at which positions within lines are tried.
    private static let smallByteCount = 1 << 16

    private static let openings = Set("{[,".utf8)
    private static let ends = Set("}],".utf8)

    /// The positions at which an entry may begin: a line's start, and in JSON also near brackets
    /// and commas.
    private var starts: [Int] {
        let bytes = file.content.secret.copyBytesUnprotected()
        if format.isJSON, bytes.count <= Self.smallByteCount {
            let inFront = bytes.indices.filter { Self.ends.contains(bytes[$0]) }
            let openings = bytes.indices.filter { Self.openings.contains(bytes[$0]) }
            return inFront + openings.map { $0 + 1 }
        }
        let lines = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        return [0] + lines.map { $0 + 1 }
    }

    /// Accepts new content if it reads like the old with these secrets put back.
    private mutating func accept(_ content: SharedSecret, restoring: [TakenSecret]) -> Bool {
        guard let draft = try? PlaintextFile(content, as: format) else { return false }
        let after = Self.movable(draft)
        let restored = Set(restoring.map(\.key))
        let keepsOthers = Self.movable(file).allSatisfy { key, entry in
            restored.contains(key) || after[key].map { $0.holds(entry.secret) } ?? false
        }
        let hasAll = restoring.allSatisfy { taken in
            guard let entry = after[taken.key] else { return false }
            return request.values[taken.key]?.matches(entry) ?? false
        }
        let addsNoOddity = draft.oddities.count <= file.oddities.count
        guard keepsOthers, hasAll, addsNoOddity else { return false }
        file = draft
        hasChanged = true
        return true
    }

    private mutating func replace(_ old: UndoOutcome, by new: UndoOutcome) {
        outcomes = outcomes.map { $0 == old ? new : $0 }
    }

    /// Returns the first entry with each name that can move.
    private static func movable(_ file: PlaintextFile) -> Entries {
        let entries = file.entries.filter { $0.hindrance == nil }
        return Dictionary(entries.map { ($0.place.key, $0) }) { first, _ in first }
    }
}

extension PlaintextEntry {
    fileprivate func holds(_ other: SharedSecret) -> Bool {
        secret.secret.constantTimeEquals(other.secret)
    }
}

extension ReturnedValue {
    var shared: SharedSecret {
        SharedSecret(Secret(copying: secret.copyBytesUnprotected()))
    }

    var sharedRemark: SharedSecret? {
        remark.map { SharedSecret(Secret(copying: $0.utf8)) }
    }

    fileprivate func matches(_ entry: PlaintextEntry) -> Bool { entry.holds(shared) }
}
