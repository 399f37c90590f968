"""Somebody without a mouse: Tab until the focus is where they want it, arrows among choices, and then Enter or Space.

Tabs are real key events, sent in one batch for as far as the element seems to be away, and one by one from there on. An
element that Tab does not come to, or whose focus nobody can see, is a failure.
"""

import chromium

# The elements that can take the focus, in the order of the document: only those of the open dialog, if there is one.
STOPS = """(() => {
    const dialog = [...document.querySelectorAll('dialog[open]')].findLast(one => one.matches(':modal'));
    return [...(dialog ?? document).querySelectorAll(
        'a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable=true]')].filter(e =>
        e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
        && (e.type !== 'radio' || e.checked
            || ![...document.getElementsByName(e.name)].some(o => o.form === e.form && o.checked)));
})()"""
# How many stops away the goal is, backwards as a negative number; it is only where to look first.
AWAY = f"""(() => {{
    const stops = {STOPS}, at = document.activeElement, to = stops.findIndex(e => self.__goals.includes(e));
    if (to < 0) return 0;
    const from = stops.indexOf(at);
    if (from >= 0) return to - from;
    const before = stops.filter(e => at !== document.body && at.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_PRECEDING);
    return to + 1 - before.length;
}})()"""
# So many more stops may be inside of frames: the browser's own viewer of PDF files has buttons.
INSIDE = 60
THERE = "self.__goals.includes(document.activeElement)"
# A frame hands the focus on a little later than the key says, and may take it back from what it had come to.
STAYS = f"""(async () => {{
    if (document.querySelector('iframe')?.checkVisibility()) await new Promise(done => setTimeout(done, 100));
    return {THERE};
}})()"""
FOCUS = """(() => {
    const e = document.activeElement, name = e.localName + (e.id ? '#' + e.id : '') + ' ' + e.textContent.trim().slice(0, 40);
    return name.trim();
})()"""
# The visible faults of the focus: no outline around the element or its label, or something covers it.
UNSEEN = """(() => {
    const e = document.activeElement;
    const isMarked = [e, e.closest('label'), e.parentElement].filter(Boolean).some(one => {
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\\)$/.test(outlineColor);
    });
    if (!isMarked) return 'nothing marks the focus';
    const { left, right, top, bottom } = e.getBoundingClientRect();
    const isShown = [.5, .1, .9].some(across => [.5, .1, .9].some(down => {
        const hit = document.elementFromPoint(left + (right - left) * across, top + (bottom - top) * down);
        return hit && (e.contains(hit) || e.closest('label')?.contains(hit) || [...e.labels ?? []].some(l => l.contains(hit)));
    }));
    const place = `${Math.round(top)} to ${Math.round(bottom)} of ${innerHeight}`;
    return isShown ? '' : `the focus is off the screen or under something: ${place}`;
})()"""


def reach(page, find, name):
    """Moves the focus to an element, or to the field of a label, and looks whether it can be seen there."""
    page.settle()
    page.wait(f"(e => e?.checkVisibility({{visibilityProperty: true}}) && !(e.control ?? e).disabled)({find})",
              f"{name} to be there")
    page.js(f"""(() => {{
        const e = {find}, goal = e.localName === 'label' ? e.control : e;
        self.__goal = goal;
        self.__goals = goal.type === 'radio'
            ? [...document.getElementsByName(goal.name)].filter(o => o.form === goal.form) : [goal];
    }})()""")
    away = page.js(AWAY)
    _tab(page, abs(away), backwards=away < 0)
    passed = []
    while not page.js(THERE) or not page.js(STAYS):
        passed.append(page.js(FOCUS))
        if len(passed) > page.js(f"{STOPS}.length") + INSIDE:
            raise chromium.Failure(f"{page.name}: Tab does not come to {name}: it comes to {passed}\n{page.describe()}")
        _tab(page, 1)
    # In a date an arrow would write.
    for _ in range(page.js("self.__goals.length") if page.js("self.__goal.type") == "radio" else 0):
        if page.js("document.activeElement === self.__goal"):
            break
        page.press("ArrowDown")
    unseen = page.js(UNSEEN)
    if unseen:
        raise chromium.Failure(f"{page.name}: {name}: {unseen}\n{page.describe()}")
    return page.js("document.activeElement.type ?? document.activeElement.localName")


def press(page, find, name):
    """Does what a click does."""
    kind = reach(page, find, name)
    if kind == "radio" and page.js("document.activeElement.checked"):
        return
    if kind in ("radio", "checkbox", "button"):
        page.press(" ", "Space")
    else:
        page.press("Enter")


def _tab(page, times, backwards=False):
    """Presses Tab so often; only the last press is waited for."""
    keys = [(kind, {"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "modifiers": 8 if backwards else 0})
            for _ in range(times) for kind in ("rawKeyDown", "keyUp")]
    for _, parameters in keys[:-1]:
        page.browser._post("Input.dispatchKeyEvent", page.session, parameters)
    for _, parameters in keys[-1:]:
        page.send("Input.dispatchKeyEvent", **parameters)
