"""A network that loses a chosen request, or its answer, of one page."""

import queue
import re
import threading

from chromium import Failure


class Network:
    """Everything that a page sends passes here; `lose` says what does not arrive."""

    def __init__(self, page):
        self.page, self.rules, self.lost, self.events = page, [], [], queue.Queue()
        observe = page.observe

        def listen(method, parameters):
            if method == "Fetch.requestPaused":
                self.events.put(parameters)
            observe(method, parameters)
        page.observe = listen
        threading.Thread(target=self._work, daemon=True).start()
        page.send("Fetch.enable", patterns=[
            {"urlPattern": "*/api/*", "requestStage": stage} for stage in ("Request", "Response")])

    def lose(self, pattern, when, times=1):
        """`before`: the server never hears of it. `after`: it does it, and nobody hears of that."""
        self.lost.clear()
        self.rules.append({"pattern": re.compile(pattern), "when": when, "left": times})

    def heal(self):
        self.rules.clear()

    def _work(self):
        while True:
            event = self.events.get()
            try:
                self._decide(event)
            except Failure:
                pass  # The page has left meanwhile.

    def _decide(self, event):
        request, number = event["request"], event["requestId"]
        isAnswer = "responseStatusCode" in event or "responseErrorReason" in event
        what = request["method"] + " " + re.sub(r"^\w+://[^/]+", "", request["url"])
        for rule in self.rules:
            if rule["left"] > 0 and isAnswer == (rule["when"] == "after") and rule["pattern"].search(what):
                rule["left"] -= 1
                self.lost.append(what)
                self.page.send("Fetch.failRequest", requestId=number, errorReason="ConnectionFailed")
                return
        self.page.send("Fetch.continueRequest", requestId=number)
