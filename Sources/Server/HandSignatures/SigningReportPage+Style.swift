extension SigningReportPage {
    /// How the page looks: it loads nothing, so all of it is in it.
    static let style = """
        :root { color-scheme: light dark; --paper: #f1f4f1; --sheet: #fcfdfc; --ink: #14212b; --soft: #48565e;
          --line: #cfd8d3; --seal: #0a6655; --other: #8a5a00; --no: #9c2b1e }
        @media (prefers-color-scheme: dark) { :root { --paper: #0e1619; --sheet: #162023; --ink: #e5ece8;
          --soft: #a5b3b1; --line: #2c393b; --seal: #66cdb2; --other: #efc46c; --no: #ff9c8c } }
        @media print { :root { --paper: #fff; --sheet: #fff; --ink: #000; --soft: #333 } section { break-inside: avoid } }
        body { margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2.5rem); max-width: 62rem; background: var(--paper);
          color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: break-word }
        h1, h2 { font-family: Georgia, serif; line-height: 1.2; text-wrap: balance; margin: .2em 0 .6em }
        section { margin: 1.25rem 0; padding: 1rem 1.5rem; background: var(--sheet); border: 1px solid var(--line);
          border-radius: 5px }
        .decision { font-weight: 600; font-size: 1.2rem } .yes { color: var(--seal) } .no { color: var(--no) }
        table { width: 100%; border-collapse: collapse } figure { margin: 0 0 1rem } img { max-width: 16rem }
        th, td { padding: .4rem 0; border-bottom: 1px solid var(--line); text-align: start; font-weight: 400;
          vertical-align: top }
        th { width: 36%; color: var(--soft); padding-inline-end: 1rem } td { font-variant-numeric: tabular-nums }
        code, pre { font-size: .875rem; overflow-wrap: anywhere; white-space: pre-wrap }
        .meta, figcaption { color: var(--soft); font-size: .9375rem }
        .paper svg { max-width: 30rem; background: #fff; border: 1px solid var(--line) }
        .ink { fill: none; stroke: #14212b; stroke-width: 3; stroke-linejoin: round; stroke-linecap: round }
        .dot { fill: #14212b } .plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem }
        .plot svg { width: 100%; border: 1px solid var(--line) } .axis { stroke: var(--line) }
        polyline { fill: none; stroke-linejoin: round } .probe { stroke: var(--seal); stroke-width: 2.5 }
        .reference { stroke: var(--other); stroke-width: 2.5; stroke-dasharray: 8 4 }
        .key { padding-inline-start: 2.2rem; position: relative } .key::before { content: ""; position: absolute; inset-inline-start: 0;
          top: .65em; width: 1.8rem; border-top: 3px solid var(--seal) }
        .key.reference::before { border-top: 3px dashed var(--other) }
        .rates svg { max-width: 30rem } .grid { stroke: var(--line); stroke-width: 1 }
        .equal { stroke: var(--soft); stroke-dasharray: 3 5 } .curve-0 { stroke: var(--seal); stroke-width: 2.5 }
        .curve-1 { stroke: var(--other); stroke-width: 2.5; stroke-dasharray: 7 4 } .point { fill: var(--ink) }
        text { fill: var(--soft); font: 13px system-ui, sans-serif }
        .upright { transform: rotate(-90deg); transform-box: fill-box; transform-origin: center }
        """
}
