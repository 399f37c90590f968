"""The rows of a large organisation, the same at every run: what `million.py` grows a database by.

Everything is as the server writes it, the log's entries too: the server seals them at its next start. What is sealed
under a secret or signed by people is text of the usual length; nobody opens it here.
"""

import binascii
import functools
import hashlib
import hmac
import json
import random

# As many members have many documents each, and one of so many documents is theirs.
BUSY, SHARE_OF_BUSY = 8, 25
READERS, GUESTS = 40, 80
# So many acts has one client, whose history is read; so many certifications have been.
ACTS, CERTIFICATIONS = 1_000, 5_000
# So many services ask members: more than a search reads one by one.
SERVICES = 40
# A place in a status list is below 2^17; half of them are taken before the next list begins.
PLACES = 65_536
# Words that the searches look for; `rare` is in three names, `never` and `apart` are frequent and in no name together.
RARE, NOBODY, NEVER, APART = "Zwentibold", "Xylophax", "Norbert", "Quendel"


_URL = bytes.maketrans(b"+/", b"-_")
# Odd: multiplied by it, different numbers stay different, and are in no order any more.
_ODD = 0x9E3779B97F4A7C15F39CC0605CEDC8341082276BF3A27251F86C6A11D0C18E95


def text(raw):
    return binascii.b2a_base64(raw, newline=False).translate(_URL, b"=").decode()


@functools.cache
def salt(kind):
    return int.from_bytes(hashlib.sha256(kind.encode()).digest(), "big")


def identifier(kind, number):
    """32 hexadecimal digits, in no order, as the server's own are."""
    return "%032x" % ((number * _ODD + salt(kind)) & (1 << 128) - 1)


def raw(kind, number):
    """32 bytes as if at random."""
    return ((number * _ODD + salt(kind)) & (1 << 256) - 1).to_bytes(32, "big")


def token(kind, number):
    """The session token of a reader, a busy member or a guest, and its hash as the database has it."""
    secret = text(hashlib.sha256(f"million {kind} {number}".encode()).digest())
    return secret, text(hashlib.sha256(secret.encode()).digest())


def session(kind, number, account, now):
    """A row of `sessions`: signed in long ago, and for ten years."""
    return (token(kind, number)[1], identifier(f"session-{kind}", number), account, now, now + 315_360_000, 0)


SESSION = "token_hash id account created expires failures".split()
ACCOUNT = "id username name role passphrase verified created sort_name".split()
DEVICE = "id account name signing_key encryption_key created".split()


def guests(keys, passphrase, now):
    """Accounts that can sign in, for a grown and for an empty database: (table, columns, rows)."""
    ids = [identifier("guest", number) for number in range(len(keys))]
    names = [f"guest{number:03}@example.edu" for number in range(len(keys))]
    yield "accounts", ACCOUNT, [
        (id, name, f"Guest {name[5:8]}", "member", passphrase, 0, now, f"guest {name[5:8]}")
        for id, name in zip(ids, names)
    ]
    yield "devices", DEVICE, [
        (identifier("guest-device", n), id, "phone", keys[n], point("guest", n), now) for n, id in enumerate(ids)
    ]
    yield "sessions", SESSION, [session("guest", n, id, now) for n, id in enumerate(ids)]


def point(kind, number):
    """Text of the length of a P-256 point, which is none."""
    return text(b"\x04" + 2 * raw(kind, number))


def sealed(secret, content, id, plaintext):
    """Text that the server opens: AES-256-GCM under a key of its own, as `TemplateBox` makes it."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    purpose = f"{content} {id}".encode()
    key, nonce = hmac.digest(secret, b"countersign template key v1\0" + purpose, "sha256"), raw("nonce " + id, 0)[:12]
    return text(nonce + AESGCM(key).encrypt(nonce, plaintext, b"countersign secret box v1\n" + purpose))


class Names:
    """Given and family names: few are frequent, most are rare."""

    SYLLABLES = "an be cor da el fa gi ha in jo ka li mar no ol pe qui ro sa ti ul va wen xa yo zi".split()

    def __init__(self):
        dice = random.Random(4)
        make = lambda count: "".join(dice.choice(self.SYLLABLES) for _ in range(count)).capitalize()
        self.given = list(dict.fromkeys(make(2) for _ in range(600)))
        self.family = list(dict.fromkeys(make(3) for _ in range(20_000)))

    def of(self, number, total):
        """The name of somebody: given, family."""
        if number in (total // 7, total // 2, total - 5):
            return self.given[0], RARE
        first, second = number * 0.6180339887498949 % 1, number * 0.7548776662466927 % 1
        if number % 20 == 7:
            return NEVER, self.family[int(len(self.family) * second**3)]
        if number % 20 == 13:
            return self.given[int(len(self.given) * first**3)], APART
        return self.given[int(len(self.given) * first**3)], self.family[int(len(self.family) * second**3)]


class Rows:
    """All rows, table by table. `base` is what the program itself has set up."""

    def __init__(self, sizes, base):
        self.sizes, self.base = sizes, base
        self.names, self.now = Names(), base["now"]
        self.start = self.now - 2 * 365 * 86_400

    def member(self, number):
        return identifier("account", number)

    def time(self, number, total):
        """Ever later, several within one second here and there."""
        return self.start + int((self.now - self.start - 86_400) * (number - number % 3) / max(total, 1))

    def holder(self, number):
        """The number of the member whose document it is."""
        if number % SHARE_OF_BUSY == 0:
            return number // SHARE_OF_BUSY % min(BUSY, self.sizes.members)
        return number % self.sizes.members

    def name(self, number):
        return " ".join(self.names.of(number, self.sizes.members))

    def entry_of(self, kind, number):
        """Where the log has a device's or a document's entry: they take turns."""
        members, documents = self.sizes.members, self.sizes.documents
        both = min(members, documents)
        if number < both:
            return self.base["entries"] + 2 * number + (kind == "document")
        return self.base["entries"] + both + number

    def tables(self):
        """(table, columns, rows), in an order in which each row names only rows before it."""
        sizes, now = self.sizes, self.now
        staff = [("administrator", "reader"), ("operator", "desk")]
        yield "accounts", ACCOUNT, self.accounts()
        yield "accounts", ACCOUNT, (
            (identifier(kind, n), f"{kind}{n:03}@example.edu", f"{kind.title()} {n:03}", role,
             self.base["passphrase"], 1, now - 86_400, f"{kind} {n:03}")
            for role, kind in staff for n in range(READERS)
        )
        yield "devices", DEVICE, (
            (identifier("device", n), self.member(n), "phone", point("signing", n), point("encryption", n),
             self.time(n, sizes.members)) for n in range(sizes.members)
        )
        yield "sessions", SESSION, (
            session(kind, n, identifier(kind, n), now) for _, kind in staff for n in range(READERS)
        )
        yield "sessions", SESSION, (
            session("busy" if n < BUSY else "member", n, self.member(n), now) for n in range(sizes.members // 10)
        )
        yield ("log_entries", "position account type time entry opening record".split(), self.entries())
        yield (
            "status_entries", "list position is_certificate revoked".split(),
            ((2 + n // PLACES, n % PLACES * 2, 0, self.revoked(n)) for n in range(sizes.documents)),
        )
        yield (
            "documents",
            "id type holder device issuer credential status_list status_index size blob statement log_index issued"
            " revoked reason".split(),
            self.documents(),
        )
        columns = "id type note state member administrator reason document device created changed".split()
        yield "requests", columns, self.requests()
        yield from self.shares()
        yield from self.certifications()
        yield from self.questions()
        yield from self.desk()

    def revoked(self, number):
        return self.now - 1_000 if number % 50 == 3 else None

    def accounts(self):
        total = self.sizes.members
        for n in range(total):
            yield (
                self.member(n), f"m{n:07}@example.edu", self.name(n), "member", self.base["passphrase"],
                int(n % 4 != 0), self.time(n, total), self.name(n).lower(),
            )

    def entries(self):
        """The log's: as many bytes, and the same commitments and pseudonyms, as the server would have made."""
        secret, members, documents = self.base["label_secret"], self.sizes.members, self.sizes.documents
        both, label = max(members, documents), functools.lru_cache(1_000)(
            lambda account: text(hmac.digest(secret, account.encode(), "sha256")))
        for turn in range(both):
            time_ = self.time(turn, both)
            acts = []
            if turn < members:
                acts.append(("device", self.member(turn), "device.enrolled", (
                    f'{{"encryption_key":"{point("encryption", turn)}","signing_key":"{point("signing", turn)}",'
                    '"type":"device.enrolled"}')))
            if turn < documents:
                acts.append(("document", self.member(self.holder(turn)), "document.issued", (
                    f'{{"credential":"{self.credential(turn)}","status_index":{turn % PLACES * 2},'
                    f'"status_uri":"{self.base["url"]}/status/{2 + turn // PLACES}","type":"document.issued"}}')))
            for kind, account, type_, record in acts:
                opening = raw("opening " + kind, turn)
                commitment = text(hmac.digest(opening, record.encode(), "sha256"))
                entry = (f'{{"commitment":"{commitment}","label":"{label(account)}","time":{time_},'
                         f'"type":"{type_}","v":1}}')
                yield (self.entry_of(kind, turn), account, type_, time_, entry, text(opening), record)

    def credential(self, number):
        return text(raw("credential", number))

    def documents(self):
        total, statement = self.sizes.documents, "e" * 700
        for n in range(total):
            revoked, holder = self.revoked(n), self.holder(n)
            yield (
                identifier("document", n), "transcript" if n % 3 else "degree", self.member(holder),
                identifier("device", holder), identifier("reader", n % READERS), self.credential(n), 2 + n // PLACES,
                n % PLACES * 2, 24, identifier("blob", n), statement, self.entry_of("document", n),
                self.time(n, total), revoked, "superseded" if revoked else None,
            )

    def requests(self):
        total = self.sizes.documents
        states = {1: "pending", 2: "accepted", 3: "cancelled", 4: "cancelled"}
        for n in range(total):
            state, holder, created = states.get(n % 100, "issued"), self.holder(n), self.time(n, total)
            yield (
                identifier("request", n), "transcript" if n % 3 else "degree", "For an application", state,
                self.member(holder), None if state == "pending" else identifier("reader", n % READERS),
                "Not ours" if state == "cancelled" else None,
                identifier("document", n) if state == "issued" else None, identifier("device", holder), created,
                created + 3_600,
            )

    def shares(self):
        """Links: most of them the busy members'."""
        count = self.sizes.documents // 50
        of_busy = [n for n in range(0, self.sizes.documents, SHARE_OF_BUSY)][:count]
        yield (
            "shares",
            "id account document code_hash failures blob created expires views maximum_views stopped".split(),
            (
                (identifier("share", n), self.member(self.holder(n)), identifier("document", n),
                 self.credential(n), 0, identifier("share-blob", n), self.time(n, self.sizes.documents),
                 self.now + 30_000_000, 1, 20, None) for n in of_busy
            ),
        )
        self.shared = [identifier("share-blob", n) for n in of_busy]
        self.invited = min(5_000, count)
        yield (
            "invitations", "id code_hash role created_by created expires used recipient".split(),
            ((identifier("invitation", n), self.credential(-n), "operator", self.base["owner"], self.now - n,
              self.now + 2_000_000, None, self.recipient(n)) for n in range(self.invited)),
        )

    def recipient(self, number):
        return " ".join(self.names.of(number, self.invited))

    def certifications(self):
        """Of members, whose names the searches know. None holds now: `doctor` would read the certificates."""
        yield (
            "delegations",
            "id account authority_key state capabilities certificate issuer status_list status_index created"
            " revoked".split(),
            (
                (identifier("delegation", n), self.member(n * 7 % self.sizes.members), point("authority", n), *(
                    ("pending", "", "", "") if n % 50 == 3 else ("revoked", "sign_documents", "c" * 700, "o" * 700)),
                 1, n * 2, self.time(n, CERTIFICATIONS), None if n % 50 == 3 else self.now - 1_000)
                for n in range(CERTIFICATIONS)
            ),
        )

    def questions(self):
        """What services asked the busy members, in the last 60 days: older ones would be removed.

        Their domains begin as people's names do, so that the same searches find them.
        """
        count = self.sizes.documents // SHARE_OF_BUSY
        service = lambda n: identifier("service", n // (4 * BUSY) % SERVICES)
        yield (
            "approval_services", "id domain name key_hash public_key created".split(),
            ((identifier("service", n), f"{self.names.given[n // 4]}{n}.example".lower(), f"Service {n}",
              self.credential(n), point("service", n), self.start) for n in range(SERVICES)),
        )
        asked = lambda n: self.now - 3_600 - 60 * 86_400 * n // count
        states = ("approved", "denied", "cancelled", "expired")
        yield (
            "approval_challenges",
            "id service idempotency request message state wrong_codes created expires decided".split(),
            ((identifier("question", n), service(n), text(raw("question", n)), text(raw("asking", n)), "m" * 400,
              states[n % 4], 0, asked(n), asked(n) + 120, asked(n) + 30 if n % 4 < 3 else None) for n in range(count)),
        )
        decisions = ("allow", "deny", None, None)
        yield (
            "approval_prompts", "challenge account label service created decision answered".split(),
            ((identifier("question", n), self.member(n // 4 % min(BUSY, self.sizes.members)), "label", service(n),
              asked(n), decisions[n % 4], asked(n) + 30 if n % 4 < 2 else None) for n in range(count)),
        )

    def desk(self):
        """Clients and what they signed: two transactions each, of a hundred files."""
        total, sealed = self.sizes.clients, text(bytes(600))
        created = lambda n: self.time(n, total)
        yield (
            "clients", "id number_hash given_name family_name tool sealed created number_form sort_name".split(),
            ((identifier("client", n), text(raw("client", n)), *self.names.of(n, total), "pen", sealed,
              created(n), 2, " ".join(reversed(self.names.of(n, total))).lower()) for n in range(total)),
        )
        yield (
            "client_templates", "client id sealed enrolled sittings".split(),
            ((identifier("client", n), identifier("template", n), sealed * 2, created(n), 2) for n in range(total)),
        )
        yield (
            "client_acts", "id client kind time operator template sealed log_index".split(),
            ((identifier("act", n), identifier("client", n), "enrolled", created(n), identifier("desk", n % READERS),
              identifier("template", n), sealed, n) for n in range(1, total)),
        )
        yield "client_acts", "id client kind time operator template sealed log_index".split(), self.acts()
        files = min(100, total)
        yield (
            "workspace_documents", "id name kind version content changed changed_by".split(),
            ((identifier("paper", n), f"Form {n:04}", "text", 1, "We agree. " * 40, self.now - n,
              identifier("desk", n % READERS)) for n in range(min(5_000, total))),
        )
        yield (
            "signed_files", "digest blob media_type created".split(),
            ((text(raw("file", n)), identifier("file", n), "text/plain", self.now) for n in range(files)),
        )
        yield (
            "signings",
            "id state client operator document document_name digest is_match created decided sealed log_index".split(),
            ((identifier("signing", n), ("confirmed", "confirmed", "confirmed", "refused")[n % 4],
              identifier("client", n // 2), identifier("desk", n % READERS), identifier("paper", n % files),
              f"Form {n % files:04}", text(raw("file", n % files)), int(n % 4 < 3), created(n // 2) + n % 2,
              created(n // 2) + 60, sealed, n) for n in range(2 * total)),
        )
        yield (
            "desk_attempts", "id subject act why operator time last count".split(),
            ((identifier("attempt", n), self.tried(n), "signing", "unlike", identifier("desk", n % READERS),
              self.now - 60 * n, self.now - 60 * n, 1) for n in range(min(5_000, total))),
        )
        self.files = [identifier("file", n) for n in range(files)]

    def tried(self, number):
        """Whom an attempt was about: before somebody was a client, it was a number."""
        return text(raw("client", number)) if number % 4 == 1 else identifier("client", number)

    def acts(self):
        """The history of the first client, which the server opens: enrolled, and then changed and changed again."""
        client, template = identifier("client", 0), identifier("template", 0)
        for n in range(ACTS):
            id, operator, time_ = identifier("act of one", n), n % READERS, self.time(n, ACTS)
            kind = "enrolled" if n == 0 else ("renamed", "fields_changed")[n % 2]
            act = {
                "client": client, "device": "tablet", "identified": kind != "fields_changed", "kind": kind,
                "operator": {"id": identifier("desk", operator), "name": f"Desk {operator:03}",
                             "username": f"desk{operator:03}@example.edu"},
                "paper": "passport", "reason": "" if n == 0 else "told us", "salt": text(raw("salt", n)),
                "template": template, "time": time_}
            if kind == "fields_changed":
                act["fields"] = ["Phone"]
            plaintext = json.dumps(act, separators=(",", ":"), sort_keys=True).encode()
            yield (id, client, kind, time_, identifier("desk", operator), template,
                   sealed(self.base["template_secret"], "client act", id, plaintext), self.sizes.clients + n)

    def words(self, list_):
        """What a list of people is searched by, as (item, sort key, words), for `search_words`; after `tables`."""
        if list_ == "accounts":
            for n in range(self.sizes.members):
                name = self.name(n).lower()
                yield self.member(n), name, {*name.split(), f"m{n:07}", "example", "edu"}
        elif list_ == "clients":
            for n in range(self.sizes.clients):
                names = [word.lower() for word in self.names.of(n, self.sizes.clients)]
                yield identifier("client", n), " ".join(reversed(names)), set(names)
        elif list_ == "invitations":
            for n in range(self.invited):
                yield identifier("invitation", n), "", set(self.recipient(n).lower().split())

    def blobs(self):
        """The names of all blobs that rows name; after `tables`."""
        yield from (identifier("blob", n) for n in range(self.sizes.documents))
        yield from self.shared
        yield from self.files

