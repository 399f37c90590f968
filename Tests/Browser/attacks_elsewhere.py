"""What pages of other origins try with a person's session."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from attacks_people import People
from attacks_stage import api, expect, front


class ForeignPages(People):
    """`localhost` with another port is the same site, so the cookie comes along; 127.0.0.1 is another site."""

    def state(self, person):
        paths = ("/api/account", "/api/sessions", "/api/devices", "/api/requests", "/api/shares", "/api/account/passkeys")
        answers = {}
        for path in paths:
            status, answer = api(person, "GET", path)
            expect(status == 200, f"{path}: {status}")
            for item in answer.get("items", []):
                item.pop("last_used", None)
                item.pop("seen", None)
            answers[path] = answer
        return json.dumps(answers, sort_keys=True)

    def other_origin(self, host):
        person = self.someone("visitor-" + host.replace(".", "-"))
        before, api_url = self.state(person), self.stage.url
        page = person.tab()
        page.goto(f"http://{host}:{self.evil.port}/page")
        session = api(person, "GET", "/api/sessions/current")[1]["session"]["id"]
        posts = {"/api/requests": {"type": "generic", "note": "evil"}, "/api/account/ceremonies": {},
                 "/api/account/passphrase": {"passphrase": "evil evil evil"}, "/api/sessions/passkey": {},
                 "/api/enrolments": {}, "/api/invitations": {"role": "operator", "lifetime": 3600}}
        for path, body in posts.items():
            for kind in ("application/json", "text/plain"):
                for mode in ("cors", "no-cors"):
                    for extra in ({}, {"Countersign-Session": "cookie"}):
                        said = page.js(f"""fetch({json.dumps(api_url + path)}, {{method: 'POST', mode: '{mode}',
                            credentials: 'include', headers: {json.dumps({'Content-Type': kind} | extra)},
                            body: {json.dumps(json.dumps(body))}}}).then(async r => r.type + r.status + await r.text(), e => e.name)""")
                        expect(said in ("TypeError", "opaque0"), f"{path} {kind} {mode}: {said}")
            page.js(f"""new Promise(done => {{ const f = document.createElement('form'), i = document.createElement('iframe');
                i.name = 'sink'; document.body.append(i); f.target = 'sink'; f.method = 'post'; f.enctype = 'text/plain';
                f.action = {json.dumps(api_url + path)}; const x = document.createElement('input');
                x.name = {json.dumps(json.dumps(body)[:-1] + ', "a": "')}; x.value = 'b"}}'; f.append(x); document.body.append(f);
                i.onload = () => {{ i.remove(); f.remove(); done(1) }}; f.submit(); setTimeout(done, 3000) }})""")
        said = page.js(f"""fetch({json.dumps(api_url)} + '/api/sessions/{session}', {{method: 'DELETE', credentials: 'include',
            headers: {{'Countersign-Session': 'cookie'}}}}).then(r => r.type + r.status, e => e.name)""")
        expect(said == "TypeError", f"deleting: {said}")
        for path in ("/api/account", "/api/documents", "/log/checkpoint"):
            said = page.js(f"""fetch({json.dumps(api_url + path)}, {{credentials: 'include'}})
                .then(async r => r.type + await r.text(), e => e.name)""")
            expect(said == "TypeError" or path.startswith("/log/"), f"{path} can be read: {said}")
            for tag in ("img", "script", "iframe", "object", "link"):
                page.js(f"""new Promise(done => {{ const e = document.createElement('{tag}'); e.onload = e.onerror = () => done(1);
                    if ('{tag}' === 'link') {{ e.rel = 'stylesheet'; e.href = {json.dumps(api_url + path)} }}
                    else e['{tag}' === 'object' ? 'data' : 'src'] = {json.dumps(api_url + path)};
                    document.body.append(e); setTimeout(done, 500) }})""")
        self.framing(page)
        said = page.js(f"""new Promise(done => {{ const s = new EventSource({json.dumps(api_url)} + '/api/events',
            {{withCredentials: true}}); s.onopen = () => done('open'); s.onerror = () => done('refused'); }})""")
        expect(said == "refused", f"live updates: {said}")
        page.close()
        front(person)
        self.opening(person)
        expect(self.state(person) == before, "something was done")

    def framing(self, page):
        page.js("document.querySelectorAll('iframe, object').forEach(e => e.remove())")
        for path in ("/", "/wallet", "/sign-in", "/add-device", "/console", "/api/account", "/verify"):
            page.js(f"""new Promise(done => {{ const f = document.createElement('iframe'); f.src = {json.dumps(self.stage.url + path)};
                f.onload = () => done(1); document.body.append(f); setTimeout(done, 2000) }})""")
            frames = page.send("Page.getFrameTree")["frameTree"].get("childFrames", [])
            urls = [f["frame"].get("unreachableUrl") and "refused" or f["frame"]["url"] for f in frames]
            # A frame of another site has a process of its own; a refused one keeps its address and shows an error page.
            urls += [self.address_in(t["targetId"]) for t in self.browser.send("Target.getTargets")["targetInfos"]
                     if t["type"] == "iframe"]
            ok = all(url == "refused" or url.startswith(("chrome-error:", "about:")) for url in urls)
            expect(ok, f"{path} is framed: {urls}")
            page.js("document.querySelectorAll('iframe').forEach(e => e.remove())")

    def address_in(self, target):
        session = self.browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        answer = self.browser.send("Runtime.evaluate", session, expression="location.href", returnByValue=True)
        self.browser.send("Target.detachFromTarget", sessionId=session)
        return answer["result"]["value"]

    def opening(self, person):
        """A window that another page opens is severed from it; Chromium under DevTools opens none, so: by the header."""
        for path in ("/wallet/devices", "/sign-in", "/", "/console", "/verify"):
            said = person.js(f"fetch({json.dumps(path)}).then(r => r.headers.get('Cross-Origin-Opener-Policy'))")
            expect(said == "same-origin", f"{path}: {said}")


class Evil:
    """A page of somebody else, on every name of this machine."""

    def __init__(self):
        evil = self
        self.asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path not in ("/page", "/favicon.ico"):
                    evil.asked.append(self.path)
                body = b"<!doctype html><title>Elsewhere</title><body>Elsewhere"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
