import Testing

@testable import ProtectedFiles

@Suite struct `A run of chunks` {
    /// Does all jobs until none is left.
    private func finish(_ run: ChunkRun) -> [ChunkRun.Job] {
        var jobs: [ChunkRun.Job] = []
        while let job = run.next() {
            jobs.append(job)
            run.end(job)
        }
        return jobs
    }

    @Test func `is sealed and written in order by one thread`() {
        let jobs = finish(ChunkRun(6))
        #expect(
            jobs == [
                .seal(0), .seal(1), .seal(2), .seal(3), .write(0..<4), .seal(4), .seal(5),
                .write(4..<6),
            ]
        )
    }

    @Test func `is written by one thread while the other seals`() throws {
        let run = ChunkRun(64)
        let first = try #require(run.next())
        #expect(run.next() == .seal(1))
        run.end(.seal(1))
        #expect((2..<6).map { _ in run.next() } == (2..<6).map { .seal($0) })
        (2..<6).forEach { run.end(.seal($0)) }
        // The first one is missing, so nothing can be written.
        #expect(run.next() == .seal(6))
        run.end(first)
        #expect(run.next() == .write(0..<6))
        run.end(.seal(6))
        let rest = (7..<64).map { _ in run.next() }
        #expect(rest == (7..<64).map { .seal($0) })
        (7..<64).forEach { run.end(.seal($0)) }
        #expect(run.next() == nil)
        run.end(.write(0..<6))
        #expect(finish(run) == [.write(6..<64)])
    }

    @Test func `ends when something fails`() {
        let run = ChunkRun(6)
        _ = run.next()
        run.stop()
        #expect(run.next() == nil)
    }
}
