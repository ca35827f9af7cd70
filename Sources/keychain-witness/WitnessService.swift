import Glibc
import KeychainSockets
import ProcessWitness
import Synchronization

/// A service that answers one question on each connection, and examines several processes at a
/// time.
///
/// A hostile process can delay the kernel's answers about itself. That occupies one thread, and
/// each account has only a few. So only questions about the same account wait.
final class WitnessService: Sendable {
    private struct Job: ~Copyable, Sendable {
        let question: WitnessQuestion
        let process: Descriptor
        let socket: WitnessSocket
    }

    /// A waiting job, in a reference because its list holds only copyable values.
    private final class WaitingJob: Sendable {
        private let job: Mutex<Job?>

        init(_ job: consuming Job) { self.job = Mutex(consume job) }

        func take() -> Job? { job.withLock { $0.take() } }
    }

    private struct Work: Sendable {
        var running: [UInt32: Int] = [:]
        var waiting: [(user: UInt32, job: WaitingJob)] = []

        var runningCount: Int { running.values.reduce(0, +) }

        func hasRoom(for user: UInt32) -> Bool {
            running[user, default: 0] < WitnessService.accountLimit
                && runningCount < WitnessService.threadLimit
        }

        mutating func begin(_ user: UInt32) { running[user, default: 0] += 1 }

        mutating func end(_ user: UInt32) {
            let count = running[user, default: 0] - 1
            running[user] = count > 0 ? count : nil
        }

        /// Returns the oldest job that may start.
        mutating func next() -> WaitingJob? {
            guard let index = waiting.firstIndex(where: { hasRoom(for: $0.user) }) else {
                return nil
            }
            let entry = waiting.remove(at: index)
            begin(entry.user)
            return entry.job
        }
    }

    private let listener: WitnessListener
    private let clientUserID: UInt32
    private let work = Mutex(Work())

    fileprivate static let threadLimit = 48
    fileprivate static let accountLimit = 4
    private static let waitingLimit = 128
    private static let accountWaitingLimit = 16
    /// The time limit for a daemon to send its question or read the answer, in seconds.
    private static let timeLimit: UInt32 = 3

    init(listener: WitnessListener, clientUserID: UInt32) {
        self.listener = listener
        self.clientUserID = clientUserID
    }

    /// Serves forever.
    func run() -> Never {
        while true {
            guard let socket = listener.accept(seconds: Self.timeLimit),
                socket.peerUserID == clientUserID,
                let message = socket.receive(limit: WitnessQuestion.byteCount),
                let question = WitnessQuestion(message.bytes)
            else { continue }
            guard let process = message.takeFile() else { continue }
            submit(Job(question: question, process: process, socket: socket))
        }
    }

    /// Starts a job, or lets it wait; if too many wait, closes the daemon's connection.
    private func submit(_ job: consuming Job) {
        let user = job.question.userID
        let waiting = WaitingJob(job)
        let begins = work.withLock { work in
            if work.hasRoom(for: user) {
                work.begin(user)
                return true
            }
            let sameCount = work.waiting.count { $0.user == user }
            if sameCount < Self.accountWaitingLimit, work.waiting.count < Self.waitingLimit {
                work.waiting.append((user, waiting))
            }
            return false
        }
        guard begins else { return }
        WitnessThread.start { [self] in
            var next: WaitingJob? = waiting
            while let job = next?.take() {
                let user = job.question.userID
                Self.answer(job)
                next = work.withLock { work in
                    work.end(user)
                    return work.next()
                }
            }
        }
    }

    private static func answer(_ job: consuming Job) {
        let inspection = ProcessInspection(clientGroup: job.question.clientGroup)
        do throws(EvidenceError) {
            let finding = try inspection.inspect(
                userID: job.question.userID,
                process: job.process.number
            )
            let answer = WitnessAnswer.evidence(finding.evidence)
            _ = job.socket.send(answer.bytes, with: finding.content)
        } catch { _ = job.socket.send(WitnessAnswer.failure(error).bytes) }
    }
}
