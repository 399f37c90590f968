"""A network that loses a chosen request, or its answer, of one page."""

import base64
import json
import queue
import re
import threading

from chromium import Failure


class Network:
    """Everything that a page sends passes here; `lose` says what does not arrive."""

    def __init__(self, page):
        self.page, self.rules, self.lost, self.events = page, [], [], queue.Queue()
        self.observe = observe = page.observe

        def listen(method, parameters):
            if method == "Fetch.requestPaused":
                self.events.put(parameters)
            observe(method, parameters)
        page.observe = listen
        threading.Thread(target=self._work, daemon=True).start()
        page.send("Fetch.enable", patterns=[
            {"urlPattern": "*/api/*", "requestStage": stage} for stage in ("Request", "Response")])

    def lose(self, pattern, when, times=1, skip=0, refused=None):
        """`before`: the server never hears of it. `after`: it does it, and nobody hears of that. The first `skip` arrive.

        `refused` is what is answered in place of the server: status, kind of problem, and seconds to wait.
        """
        self.lost.clear()
        self.rules.append({"pattern": re.compile(pattern), "when": when, "left": times, "skip": skip, "refused": refused})

    def heal(self):
        self.rules.clear()

    def end(self):
        """Nothing passes here any more."""
        self.heal()
        self.page.observe = self.observe
        self.page.send("Fetch.disable")

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
                if rule["skip"] > 0:
                    rule["skip"] -= 1
                    continue
                rule["left"] -= 1
                self.lost.append(what)
                if rule["refused"]:
                    return self._refuse(number, *rule["refused"])
                self.page.send("Fetch.failRequest", requestId=number, errorReason="ConnectionFailed")
                return
        self.page.send("Fetch.continueRequest", requestId=number)

    def _refuse(self, number, status, kind, seconds):
        body = json.dumps({"type": f"/problems/{kind}", "title": kind, "status": status}).encode()
        headers = {"Content-Type": "application/problem+json", "Retry-After": str(seconds)}
        self.page.send("Fetch.fulfillRequest", requestId=number, responseCode=status, body=base64.b64encode(body).decode(),
                       responseHeaders=[{"name": name, "value": value} for name, value in headers.items()])
