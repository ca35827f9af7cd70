import Foundation
import TestSupport
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
        const edge=e=>e.getBBox().x+e.getBBox().width;
        const cells=[...document.querySelectorAll('svg.rows g:has(>.cell):has(>text)')];
        const cut=cells.filter(g=>[...g.querySelectorAll('text')].some(
        t=>edge(t)>edge(g.querySelector('.cell')))).length
        +[...document.querySelectorAll('svg.labels text')].filter(t=>t.getBBox().x<0).length;
        const last=[...document.querySelectorAll('.mark[id]')].at(-1);
        const holds=(a,b)=>a.left<=b.left+1&&b.right<=a.right+1;
        addEventListener('hashchange',()=>parent.postMessage([
        'overflow='+(document.documentElement.scrollWidth-document.documentElement.clientWidth),
        'scrolls='+(box.scrollWidth>box.clientWidth),
        'drawings='+document.querySelectorAll('svg.rows').length,
        'cut='+cut,
        'cue='+getComputedStyle(document.querySelector('.cue')).display,
        'reached='+holds(last.closest('.scroll').getBoundingClientRect(),
        last.getBoundingClientRect()),
        'empty='+texts.filter(t=>t.getBBox().width==0).length,
        'page='+getComputedStyle(document.body).backgroundColor,
        'ink='+getComputedStyle(texts[0]).fill].join(';'),'*'));
        location.hash=last.id
        """

    private static func dump(_ page: URL, in folder: URL, isDark: Bool) throws -> String {
        let words =
            [
                executable?.path ?? "chromium",
                "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
                "--allow-file-access-from-files", "--user-data-dir=\(folder.path)/profile",
                "--window-size=1400,1000",
            ] + (isDark ? ["--force-dark-mode"] : []) + ["--dump-dom", page.absoluteString]
        return try TestProgram(words).run(joinsErrors: false).output
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
    func `cuts nothing off, and goes to an event by its link`(width: Int) throws {
        let facts = try Browser.facts(of: page(), width: width, isDark: false)
        #expect(facts["overflow"] == "0")
        #expect(facts["scrolls"] == (width == 360 ? "true" : "false"))
        #expect(facts["cue"] == (width == 360 ? "block" : "none"))
        #expect(facts["reached"] == "true")
        #expect(facts["drawings"] == "4")
        #expect(facts["cut"] == "0")
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
