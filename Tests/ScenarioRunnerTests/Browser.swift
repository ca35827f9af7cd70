import Foundation
import Testing

@testable import ScenarioRunner

/// Chromium without a window, where there is one.
struct Browser {
    static let executable = ["chromium", "chromium-browser", "google-chrome"].lazy
        .flatMap { name in
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
                URL(filePath: String($0)).appending(path: name)
            }
        }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// What a page measured of itself: facts by name.
    ///
    /// The page's own policy forbids scripts: it is left out of the copy that measures.
    static func facts(of page: String, width: Int, isDark: Bool) throws -> [String: String] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "report-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let policy = "default-src 'none'; style-src 'unsafe-inline'"
        let open = page.replacing(policy, with: "default-src 'none' 'unsafe-inline'")
        let measured = open.replacing("</body>", with: "<script>\(script)</script></body>")
        let inner = folder.appending(path: "page.html")
        try Data(measured.utf8).write(to: inner)
        let outer = folder.appending(path: "frame.html")
        let frame = """
            <body><iframe src="page.html" style="width:\(width)px;height:900px"></iframe><pre></pre>
            <script>
            addEventListener('message',e=>{document.querySelector('pre').textContent=e.data})
            </script>
            """
        try Data(frame.utf8).write(to: outer)
        let document = try dump(outer, in: folder, isDark: isDark)
        let text = try #require(
            document.components(separatedBy: "<pre>").dropFirst().first?
                .components(separatedBy: "</pre>").first
        )
        let pairs = text.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    }

    private static let script = """
        const box=document.querySelector('.line .scroll');
        const texts=[...document.querySelectorAll('svg.rows text')];
        parent.postMessage([
        'overflow='+(document.documentElement.scrollWidth-document.documentElement.clientWidth),
        'scrolls='+(box.scrollWidth>box.clientWidth),
        'drawings='+document.querySelectorAll('svg.rows').length,
        'empty='+texts.filter(t=>t.getBBox().width==0).length,
        'page='+getComputedStyle(document.body).backgroundColor,
        'ink='+getComputedStyle(texts[0]).fill].join(';'),'*')
        """

    private static func dump(_ page: URL, in folder: URL, isDark: Bool) throws -> String {
        let process = Process()
        process.executableURL = executable
        process.arguments =
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
                "--allow-file-access-from-files", "--user-data-dir=\(folder.path)/profile",
                "--window-size=1400,1000",
            ] + (isDark ? ["--force-dark-mode"] : []) + ["--dump-dom", page.absoluteString]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite(
    .enabled(if: Browser.executable != nil, "Chromium is not installed: apt install chromium"),
    .serialized
)
struct `A report in Chromium` {
    private func page() throws -> String {
        HTMLReport([try ShippedScenarios.report("4-enrollment-change")]).text
    }

    @Test(arguments: [360, 1300])
    func `scrolls its wide parts inside their boxes`(width: Int) throws {
        let facts = try Browser.facts(of: page(), width: width, isDark: false)
        #expect(facts["overflow"] == "0")
        #expect(facts["scrolls"] == "true")
        #expect(facts["drawings"] == "2")
        #expect(facts["empty"] == "0")
    }

    @Test func `is light by day and dark by night`() throws {
        let day = try Browser.facts(of: page(), width: 1300, isDark: false)
        let night = try Browser.facts(of: page(), width: 1300, isDark: true)
        #expect(day["page"] == "rgb(251, 251, 250)")
        #expect(night["page"] == "rgb(20, 23, 27)")
        #expect(day["ink"] != night["ink"])
    }
}
