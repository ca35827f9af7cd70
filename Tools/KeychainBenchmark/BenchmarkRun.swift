import Foundation

/// Every workload with every number of items, then the other figures; once or several times.
struct BenchmarkRun {
    let options: BenchmarkOptions

    func report() throws -> FigureReport {
        let home = try BenchmarkHome(options.home)
        defer { home.leave() }
        var runs: [FigureReport] = []
        for number in 1...options.runCount {
            if options.runCount > 1 { Output.tell("run \(number) of \(options.runCount)") }
            runs.append(try oneRun(in: home))
        }
        guard let report = FigureReport(medianOf: runs) else {
            throw BenchmarkError("nothing was measured")
        }
        return report
    }

    private func oneRun(in home: BenchmarkHome) throws -> FigureReport {
        let start = Date.now
        return FigureReport(
            startedAt: start.timeIntervalSince1970.rounded(),
            processorCount: ProcessInfo.processInfo.activeProcessorCount,
            figures: try figures(in: home)
        )
    }

    private func daemonFigures(in home: BenchmarkHome) throws -> [Figure] {
        try DaemonFigures(
            home: home,
            itemCount: options.itemCounts.first ?? 1000,
            rounds: options.isQuick ? 3 : 15
        ).figures()
    }

    private func figures(in home: BenchmarkHome) throws -> [Figure] {
        if options.isAboutDaemon { return try daemonFigures(in: home) }
        let readings = options.isQuick ? 40 : 200
        let writings = options.isQuick ? 30 : 150
        var figures: [Figure] = []
        for count in options.itemCounts {
            let floor = try home.enter(items: count)
            let reading = ReadingWorkloads(itemCount: count, rounds: readings, floor: floor)
            figures += try reading.figures()
            let writing = WritingWorkloads(itemCount: count, rounds: writings, floor: floor)
            figures += try writing.figures()
        }
        figures += WholeFigures.attributesAlone(figures)
        if let growth = WholeFigures.growth(figures) { figures.append(growth) }
        let whole = WholeFigures(home: home, rounds: readings)
        let smallest = options.itemCounts.first ?? 1000
        let largest = options.itemCounts.last ?? 1000
        let more = [
            try whole.listing(),
            try whole.readingThreads(items: smallest),
            try ProcessFigures(home: home).memory(items: largest),
            try ProcessFigures(home: home).coldCommand(items: largest),
            try UnlockFigure(home: home).figure(),
        ]
        return figures + more.compactMap { $0 }
    }
}
