"""The table of docs/documents.md, "Checking", as the page answers: the files are those of `VerificationTests`."""

import json
from pathlib import Path

from attacks_stage import expect

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Core/Tests/VerificationTests/Fixtures/forgeries.json"

# The page's own check of a file against one root, at a time and with newer status tokens; and the colour of its verdict.
ANSWER = """Promise.all([import('/assets/verification/check.js'), import('/assets/verification/anchor.js'),
    import('/assets/verification/verdict-words.js'), import('/assets/shell/core.js')]).then(async ([checks, roots, words, core]) => {
    const given = %s;
    const anchor = { ...await roots.readRoot(core.fromB64u(given.root)), logKey: await roots.readLogKey(given.log), added: 0 };
    const { report } = await checks.check(core.utf8(given.file), [anchor],
        { audience: given.audience, time: given.time, liveStatus: given.live });
    const answers = words.answersOf(report);
    return { answers: ['genuine', 'holds', 'shown'].map((one) => answers[one].answer).join(', '),
        kind: words.verdict(report, given.time).kind };
})"""

# What the command line ends with where the page shows this colour.
EXIT_CODES = {"yes": 0, "no": 1, "unsure": 2}


def promised():
    """The rows of the table, as they are written."""
    return (ROOT / "docs/documents.md").read_text().splitlines()


def rows(page):
    """The rows of the table, as the page answers: a row for each event and day, a cell for each way to look."""
    fixtures = json.loads(FIXTURES.read_text())
    texts, found = fixtures["texts"], {}
    for item in fixtures["employer"]:
        event, day, _ = item["name"].split("; ")
        given = {"root": fixtures["root"], "log": fixtures["log"], "file": file_of(item["bundle"], texts), "audience": item["audience"],
                 "time": item["now"]}
        if item["live"]:
            given["live"] = [texts[index] for index in item["live"]]
        answer = page.js(ANSWER % json.dumps(given))
        found.setdefault((event, day.removeprefix("day ")), []).append(f"{answer['answers']} ({EXIT_CODES[answer['kind']]})")
    return [f"| {event} | {day} | {' | '.join(cells)} |" for (event, day), cells in found.items()]


def file_of(bundle, texts):
    """A file in its canonical form."""
    return json.dumps({
        "document": {name: texts[index] for name, index in bundle["document"].items()},
        "format": "countersign-presentation-v1", "presentation": texts[bundle["presentation"]], "receipt": texts[bundle["receipt"]],
        "status": [texts[index] for index in bundle["status"]],
    }, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def as_documented(page):
    """Each of the 36 cells is what the documentation promises."""
    answered, documented = rows(page), promised()
    expect(len(answered) == 12, f"{len(answered)} rows")
    different = [row for row in answered if row not in documented]
    expect(not different, "the page answers otherwise than docs/documents.md says:\n" + "\n".join(different))
