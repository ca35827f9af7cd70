/// The style of a report's page, in light and dark mode.
enum ReportStyle {
    /// The style sheet.
    ///
    /// Its colours are variables; dark mode changes only these.
    static let sheet = colors + layout + drawing + TimeLine.cueRules

    /// The patterns over the colours.
    static let patterns = Markup(
        source: """
            <svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>\
            <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" \
            patternTransform="rotate(45)"><line class="ink" x1="0" y1="0" x2="0" y2="7"/></pattern>\
            <pattern id="dots" width="7" height="7" patternUnits="userSpaceOnUse">\
            <circle class="dot" cx="2" cy="2" r="1.2"/></pattern>\
            <pattern id="cross" width="8" height="8" patternUnits="userSpaceOnUse">\
            <path class="ink" d="M0 0l8 8m0-8l-8 8"/></pattern></defs></svg>
            """
    )

    private static let colors = """
        :root{color-scheme:light dark;--page:#fbfbfa;--ink:#1d2126;--quiet:#5b636d;--rule:#d8dce1;\
        --panel:#fff;--readable:#b9e3c4;--asks:#f7e0a0;--locked:#f3b9b2;--absent:#eceef1;\
        --refused:#dcc6ee;--key:#3d7dca;--unlocked:#d5ecdb;--shut:#f6d4cf;--before:#d9dde3;\
        --good:#136c36;--bad:#b3261e;--glyph:#fff;--over:#00000030}
        @media(prefers-color-scheme:dark){:root{--page:#14171b;--ink:#e8eaed;--quiet:#a2abb6;\
        --rule:#343b44;--panel:#1b2026;--readable:#1f5a35;--asks:#5f4c12;--locked:#6f2b26;\
        --absent:#252b32;--refused:#4a2f66;--key:#6aa5ea;--unlocked:#1d4a2e;--shut:#5a2a26;\
        --before:#3a424c;--good:#6fce91;--bad:#ff8a80;--glyph:#14171b;--over:#ffffff38}}

        """

    private static let layout = """
        *{box-sizing:border-box}
        body{margin:0 auto;padding:1rem;max-width:90rem;background:var(--page);color:var(--ink);\
        font:16px/1.45 system-ui,sans-serif}
        h1{font-size:1.4rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2rem 0 .25rem}
        .verdict{margin:0 0 .75rem;color:var(--good);font-weight:600}.verdict.bad{color:var(--bad)}
        .legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 1rem;\
        padding:0;font-size:.85rem;color:var(--quiet)}
        .legend li{display:flex;align-items:center;gap:.4rem}.legend svg{flex:none}
        figure{margin:0 0 1rem}figcaption{font-size:.9rem;color:var(--quiet);margin-bottom:.25rem}
        .part{container:line/inline-size;margin-bottom:.5rem}
        .cue{display:none;margin:0;font-size:.8rem;color:var(--quiet);text-align:right}
        .failures{margin:0 0 1rem;padding-left:1.2rem;font-size:.9rem}
        a{color:var(--key)}tr:target td{background:var(--before)}
        .line{display:flex;background:var(--panel);border:1px solid var(--rule);border-radius:8px;\
        overflow:hidden}
        .line .scroll{border:0;border-left:1px solid var(--rule);border-radius:0}
        .labels{flex:none}.scroll{overflow-x:auto;min-width:0;border:1px solid var(--rule);\
        border-radius:8px;background:var(--panel)}
        .scroll:focus-visible{outline:2px solid var(--key)}
        table{border-collapse:collapse;width:100%;font-size:.88rem}
        th,td{padding:.35rem .6rem;text-align:left;vertical-align:top;\
        border-bottom:1px solid var(--rule)}
        th{color:var(--quiet);font-weight:600;white-space:nowrap;vertical-align:bottom}
        tr:last-child td{border-bottom:0}
        td{white-space:nowrap}td.why{white-space:normal;min-width:18rem;color:var(--quiet)}
        td.number{text-align:right;font-variant-numeric:tabular-nums}
        td.good{color:var(--good)}td.wrong{color:var(--bad);font-weight:600}

        """

    private static let drawing = """
        svg text{font:12px system-ui,sans-serif;fill:var(--ink)}
        svg .quiet{fill:var(--quiet)}svg .strong{font-weight:600}
        svg .small{font-size:10px;fill:var(--quiet)}
        .grid{stroke:var(--rule);stroke-width:1}.cell{stroke:none}
        .readable,.open{fill:var(--readable)}.asks{fill:var(--asks)}.locked{fill:var(--locked)}
        .absent{fill:var(--absent);stroke:var(--quiet);stroke-dasharray:3 3}
        .refused{fill:var(--refused)}.key{fill:var(--key)}
        .state-unlocked{fill:var(--unlocked)}.state-locked{fill:var(--shut)}
        .state-beforeFirstUnlock{fill:var(--before)}
        .over{stroke:none}.hatched{fill:url(#hatch)}.dotted{fill:url(#dots)}\
        .crossed{fill:url(#cross)}
        .ink{stroke:var(--over);stroke-width:2;fill:none}.dot{fill:var(--over)}
        .place{fill:none}.mark:target .place{fill:none;stroke:var(--key);stroke-width:2}
        .mark circle{stroke:var(--panel);stroke-width:1.5}
        .mark.holds circle{fill:var(--good)}.mark.fails circle{fill:var(--bad)}
        .mark .glyph{fill:none;stroke:var(--glyph);stroke-width:1.8}

        """
}
