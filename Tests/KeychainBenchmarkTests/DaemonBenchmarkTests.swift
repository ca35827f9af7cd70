import Foundation
import TestSupport
import Testing

@testable import keychain_benchmark

@Suite struct `The benchmark of a daemon` {
    @Test(.timeLimit(.minutes(10)))
    func `measures finds, connections and memory`() throws {
        let words = ["--daemon", "--quick", "--items", "200", "--json"]
        let result = try TestProgram([Self.tool().path] + words).run(joinsErrors: false)
        // Not every target is met by a debug build.
        #expect([0, 1].contains(result.status), "\(result.errors)")
        let bytes = Data(result.bytes)
        let figures = try JSONDecoder().decode(FigureReport.self, from: bytes).figures
        let finds = figures.filter { $0.workload.hasPrefix("find through the daemon") }
        #expect(
            finds.map { $0.workload.split(separator: ",").last } == [
                " 1 client", " 4 clients", " 16 clients",
            ]
        )
        #expect(finds.allSatisfy { ($0.floor ?? 0) > 0 && $0.target != nil })
        #expect(figures.contains { $0.workload.hasPrefix("connect") && $0.value > 0 })
        let memory = figures.filter { $0.workload.contains("memory") && $0.target != nil }
        #expect(memory.count == 3)
        #expect(figures.count { $0.workload.hasPrefix("writing and reading") } == 2)
    }

    @Test func `echoes as many bytes as a find takes`() throws {
        let sizes = try FrameSizes.find()
        #expect(sizes.request > 60)
        #expect(sizes.reply > SampleItem.secretByteCount)
        #expect(sizes.reply < SampleItem.secretByteCount + 64)
    }

    private static func tool() throws -> URL {
        let products = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let places = products.flatMap { [$0, $0.deletingLastPathComponent()] }
        let found = places.map { $0.appending(path: "keychain-benchmark") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return try #require(found, "keychain-benchmark was not built beside the tests")
    }
}
