"""What people ask a server: lists and searches, sign-ins and session checks, each timed over HTTP."""

import http.client
import itertools
import json
import re
import statistics
import time
import urllib.parse

import million_rows
from million_rows import APART, BUSY, GUESTS, NEVER, NOBODY, RARE, READERS
from million_site import PASSPHRASE, Trouble


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Visitor:
    """One connection, kept open."""

    def __init__(self, site):
        self.connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=120)
        self.addresses = itertools.count()

    def send(self, method, path, token=None, body=None):
        """Milliseconds until the whole answer was there, status and bytes."""
        number = next(self.addresses)
        # As behind a proxy: many people, many addresses.
        headers = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            body = json.dumps(body)
            headers["Content-Type"] = "application/json"
        began = time.perf_counter()
        self.connection.request(method, path, body=body, headers=headers)
        answer = self.connection.getresponse()
        content = answer.read()
        return (time.perf_counter() - began) * 1000, answer.status, content


class Listings:
    """Every list: its first page, a middle and the last page by cursor, every `show`, every kind of search."""

    # Path, who asks, whether it can be searched.
    LISTS = [
        ("/api/members", "reader", True),
        ("/api/requests", "reader", True),
        ("/api/documents?issued=true", "reader", True),
        ("/api/clients", "desk", True),
        ("/api/signings", "desk", True),
        (f"/api/signings?operator={million_rows.identifier('desk', 0)}", "desk", False),
        (f"/api/signings?document={million_rows.identifier('paper', 0)}", "desk", False),
        ("/api/workspace", "desk", True),
        ("/api/desk/attempts", "desk", True),
        (f"/api/clients/{million_rows.identifier('client', 0)}/acts", "desk", False),
        ("/api/operators", "owner", True),
        ("/api/invitations", "owner", True),
        ("/api/delegations", "owner", True),
        ("/api/documents", "busy", False),
        ("/api/requests", "busy", False),
        ("/api/shares", "busy", False),
        ("/api/log/mine", "busy", False),
        ("/api/approvals/history", "busy", True),
        ("/api/statistics", "reader", False),
        ("/api/desk", "desk", False),
    ]

    # Those of people, which sort by name, too.
    BY_NAME = {"/api/members", "/api/clients", "/api/operators"}

    def __init__(self, site, options):
        self.options, self.site, self.visitor = options, site, Visitor(site)
        names = million_rows.Names()
        common, second = names.given[0], names.family[0]
        self.searches = {
            "a frequent word": common,
            "a rare word": RARE,
            "no hit": NOBODY,
            "one letter": common[0],
            "two letters of two words": f"{common[0]} {second[0]}",
            "frequent and rare": f"{common} {RARE}",
            "frequent and frequent": f"{common} {second}",
            "frequent words that never meet": f"{NEVER} {APART}",
            "three words": f"{common} {second[:3]} edu",
            "everybody's word": "example",
        }
        self.crowd = {"reader": READERS, "desk": READERS, "busy": BUSY, "owner": 1}

    def get(self, path, who, number, **query):
        query = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        path += ("&" if "?" in path else "?") + query if query else ""
        token = million_rows.token(who, number % self.crowd[who])[0]
        taken, status, content = self.visitor.send("GET", path, token)
        while status == 429:
            time.sleep(1)
            taken, status, content = self.visitor.send("GET", path, token)
        if status != 200:
            raise Trouble(f"GET {path} as {who}: {status} {content[:300]}")
        return taken, content

    def case(self, path, who, **query):
        """p50, p99, how many were asked, and how many items an answer has."""
        # The data on the disk is read once; its speed depends on the disk.
        for number in range(self.crowd[who]):
            self.get(path, who, number, **query)
        taken, items, end = [], 0, time.monotonic() + self.options.patience
        for number in range(self.options.requests):
            # One account may ask fifty times a second.
            milliseconds, content = self.get(path, who, number, **query)
            taken.append(milliseconds)
            if number == 0:
                items = len(json.loads(content).get("items", []))
            if time.monotonic() > end and len(taken) >= 20:
                break
        return percentile(taken, 0.5), percentile(taken, 0.99), len(taken), items

    def measure(self, table):
        for path, who, is_searched in self.LISTS:
            if self.options.lists and re.sub("[0-9a-f]{32}", "{id}", path.partition("?")[0]) not in self.options.lists:
                continue
            self.show(table, path, who, "first page")
            try:
                first = json.loads(self.get(path, who, 0)[1])
            except (Trouble, OSError, http.client.HTTPException):
                continue
            shows = [count["show"] for count in first.get("counts", [])]
            for show in shows:
                self.show(table, path, who, f"first page, show={show}", show=show)
            if first.get("next"):
                self.deep(table, path, who, first["next"])
            if path in self.BY_NAME:
                self.by_name(table, path, who, shows)
            if not is_searched or "counts" not in first:
                continue
            for what, words in self.searches.items():
                self.show(table, path, who, f"search, {what}", q=words)
            for show in shows:
                for what in ("a frequent word", "frequent words that never meet"):
                    self.show(table, path, who, f"search, {what}, show={show}", q=self.searches[what], show=show)

    def by_name(self, table, path, who, shows):
        self.show(table, path, who, "by name", sort="name")
        for show in shows:
            self.show(table, path, who, f"by name, show={show}", sort="name", show=show)
        for what in ("a frequent word", "a rare word", "frequent words that never meet", "everybody's word"):
            self.show(table, path, who, f"by name, {what}", sort="name", q=self.searches[what])
        cursor = json.loads(self.get(path, who, 0, sort="name")[1]).get("next")
        if cursor:
            self.deep(table, path, who, cursor, ", by name", sort="name")

    def deep(self, table, path, who, cursor, order="", **query):
        """The middle and the end, by walking there once with the largest pages, for half a minute."""
        cursors, end = [cursor], time.monotonic() + 30
        while cursor and time.monotonic() < end:
            cursor = json.loads(self.get(path, who, len(cursors), cursor=cursor, limit=1_000, **query)[1]).get("next")
            if cursor:
                cursors.append(cursor)
        self.show(table, path, who, "a middle page" + order, cursor=cursors[len(cursors) // 2], **query)
        where = "the last page" if not cursor else f"a page {len(cursors):,},000 rows deep"
        self.show(table, path, who, where + order, cursor=cursors[-1], **query)

    def show(self, table, path, who, what, **query):
        whose = ", one member's" if who == "busy" else ""
        name = f"{path}{whose}: {what}, p99 in ms"
        try:
            median, worst, count, items = self.case(path, who, **query)
        except (Trouble, OSError, http.client.HTTPException) as error:
            # The others are still worth knowing; what failed counts as broken.
            self.visitor = Visitor(self.site)
            return table.add(name, f"failed: {error}", limit=50, failed=True)
        fewer = f", only {count} asked" if count < self.options.requests else ""
        figures = f"p50 {median:.1f}, p99 {worst:.1f} ms, {items} rows{fewer}"
        table.add(name, figures, worst, 50)


class Paired:
    """Signing in and checking a session, at the large and at an empty organisation in turn."""

    SIGN_INS, CHECKS = 16, 400

    def __init__(self, site, empty, options):
        from cryptography.hazmat.primitives.asymmetric import ec

        self.rounds = options.rounds
        self.sites = {"large": (site, Visitor(site)), "empty": (empty, Visitor(empty))}
        numbers = json.loads((site.folder / "guests.json").read_text())
        self.keys = [ec.derive_private_key(number, ec.SECP256R1()) for number in numbers]
        self.turn = itertools.count()

    def proof(self, site, key, username, nonce):
        """A compact JWS of the device: I answer this challenge."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, utils

        order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
        payload = {"aud": site.public_url, "iat": int(time.time()), "nonce": nonce, "username": username}
        parts = [{"alg": "ES256", "typ": "countersign-sign-in+jwt"}, payload]
        signed = ".".join(million_rows.text(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
        r, s = utils.decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return signed + "." + million_rows.text(r.to_bytes(32, "big") + min(s, order - s).to_bytes(32, "big"))

    def sign_in(self, site, visitor, guest):
        username = f"guest{guest:03}@example.edu"
        asked, status, content = visitor.send("POST", "/api/sign-in", body={"username": username})
        if status != 200:
            raise Trouble(f"POST /api/sign-in: {status} {content[:300]}")
        proof = self.proof(site, self.keys[guest], username, json.loads(content)["nonce"])
        taken, status, content = visitor.send("POST", "/api/sessions", body={
            "username": username, "passphrase": PASSPHRASE, "device": million_rows.identifier("guest-device", guest),
            "proof": proof})
        if status not in (200, 201):
            raise Trouble(f"POST /api/sessions: {status} {content[:300]}")
        return asked + taken

    def check(self, _, visitor, guest):
        taken, status, content = visitor.send("GET", "/api/account", million_rows.token("guest", guest)[0])
        if status != 200:
            raise Trouble(f"GET /api/account: {status} {content[:300]}")
        return taken

    def measure(self, table):
        for what, act, count in (("sign-in", self.sign_in, self.SIGN_INS), ("session check", self.check, self.CHECKS)):
            medians, ratios = {"large": [], "empty": []}, []
            for number in range(-1, self.rounds):
                times = {"large": [], "empty": []}
                # Act by act, first here, then there: both meet the same machine.
                for turn in range(count):
                    guest = next(self.turn) % GUESTS
                    order = ["large", "empty"] if turn % 2 else ["empty", "large"]
                    for name in order:
                        times[name].append(act(*self.sites[name], guest))
                if number < 0:
                    continue
                for name, values in times.items():
                    medians[name].append(statistics.median(values))
                ratios.append(medians["large"][-1] / medians["empty"][-1])
            ratio = statistics.median(ratios)
            table.add(f"{what} beside an empty database, ratio",
                      f"{statistics.median(medians['large']):.2f} ms beside {statistics.median(medians['empty']):.2f}, "
                      f"ratio {ratio:.2f}, {min(ratios):.2f} to {max(ratios):.2f} in {self.rounds} rounds", ratio, 1.2)
