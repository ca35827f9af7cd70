import Testing

@testable import keychain_benchmark

@Suite struct `The options of the benchmark` {
    @Test func `have the three sizes by default, and small ones for a quick run`() {
        #expect(BenchmarkOptions([])?.itemCounts == [1000, 100_000, 1_000_000])
        #expect(BenchmarkOptions(["--quick"])?.itemCounts == [1000, 10_000])
        #expect(BenchmarkOptions(["--items", "200", "--quick"])?.itemCounts == [200])
    }

    @Test func `are read in any order`() throws {
        let words = ["--json", "--svg", "a", "--page", "b", "--home", "c", "--items", "300,400"]
        let options = try #require(BenchmarkOptions(words))
        #expect(options.isJSON)
        #expect([options.plot, options.page, options.home] == ["a", "b", "c"])
        #expect(options.itemCounts == [300, 400])
        #expect(BenchmarkOptions(["--runs", "5"])?.runCount == 5)
    }

    @Test func `measure a daemon with one keychain, in a section of its own`() throws {
        let options = try #require(BenchmarkOptions(["--daemon", "--quick"]))
        #expect(options.isAboutDaemon)
        #expect(options.itemCounts == [1000])
        #expect(options.section != BenchmarkOptions([])?.section)
    }

    @Test(arguments: [
        ["--items"], ["--items", ""], ["--items", "x"], ["--items", "400,300"],
        ["--items", "199"], ["--runs"], ["--runs", "0"], ["--runs", "x"], ["--items", "300,,400"],
        ["--svg", ""], ["--what"], ["1000"], ["--daemon", "--items", "300,400"],
        ["--daemon", "--svg", "a"],
    ])
    func `are refused when they make no sense`(words: [String]) {
        #expect(BenchmarkOptions(words) == nil)
    }
}
