"""A browser turns notifications on, chooses what it wants, and shows what a push service brings.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/notifications.py [words of a case …]

No push service is asked: the page's subscription is made up here, and messages are handed to the service worker directly.
One line for each case.
"""

import contextlib
import json
import re
import sys
import tempfile
import threading
from pathlib import Path

from attacks_stage import Cases, api, expect, front, server, set_up, shown, sign_up, tap, visit
from chromium import Chromium, Failure, until

sys.path.append(str(Path(__file__).resolve().parents[1] / "Interop" / "notifications"))
from sms_gateway import Gateway  # noqa: E402

KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"

# A subscription as the browser would make it; it outlives the page, as the browser's does.
PUSH = """
const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
const made = key => ({
  endpoint: 'https://push.example/send/1', options: { applicationServerKey: bytes(key).buffer },
  getKey: name => bytes(name === 'auth' ? '%s' : '%s').buffer,
  unsubscribe: async () => { localStorage.removeItem('push'); return true; },
});
PushManager.prototype.getSubscription = async () => {
  const key = localStorage.getItem('push');
  return key ? made(key) : null;
};
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
  if (!userVisibleOnly) throw new TypeError('not allowed');
  const key = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  localStorage.setItem('push', key);
  return made(key);
};
""" % (AUTH, KEY)

LISTED = """navigator.serviceWorker.ready.then(worker => worker.getNotifications()).then(all => all.map(one => (
  { title: one.title, body: one.body, tag: one.tag, lang: one.lang, dir: one.dir, silent: one.silent, path: one.data.path })))"""

# A notice of these [tag, path], touched: what is opened then, and how many notices with the tag are left.
TOUCHED = """(async ([tag, path]) => {
    let opened = null, work = null;
    self.clients.openWindow = async (address) => { opened = address; };
    await self.registration.showNotification('one', { tag, data: { path } });
    const [notification] = await self.registration.getNotifications({ tag });
    const event = new NotificationEvent('notificationclick', { notification });
    event.waitUntil = (promise) => { work = promise; };
    self.dispatchEvent(event);
    await work;
    return [opened, (await self.registration.getNotifications({ tag })).length];
})(%s)"""


class Notifications:
    def __init__(self, stage, browser, gateway):
        self.stage, self.browser, self.gateway = stage, browser, gateway
        self.owner, self.member = browser.person("owner"), browser.person("member")
        self.active = None
        for person in (self.owner, self.member):
            person.has_biometrics()
        browser.send("Browser.grantPermissions", permissions=["notifications"], origin=stage.url,
                     browserContextId=self.member.context)
        self.member.send("Page.addScriptToEvaluateOnNewDocument", source=PUSH)
        observe = self.member.observe

        def watch(method, parameters):
            if method == "ServiceWorker.workerVersionUpdated":
                for one in parameters["versions"]:
                    if one["status"] == "activated":
                        self.active = one["registrationId"]
            observe(method, parameters)

        self.member.observe = watch
        set_up(self.owner, stage, "Example University", "Olivia Owner", "owner")
        sign_up(self.member, stage, "member")

    def push(self, data):
        """What the push service's message says, decrypted by the browser."""
        # A message for a worker that is not active yet is lost.
        until(lambda: self.active, "the service worker to be active")
        self.member.send("ServiceWorker.deliverPushMessage", origin=self.stage.url,
                         registrationId=self.active, data=data)

    def turn_on(self):
        member = self.member
        front(member)
        visit(member, "/wallet/devices", self.stage.url)
        tap(member, "a[href='/wallet/notifications']")
        member.wait(shown("#turn-on"))
        expect(member.js("document.querySelectorAll('#ways .item').length") == 0, "there is a way already")
        tap(member, "#turn-on")
        member.wait(shown("#turn-off"))
        member.see("push.example", "#ways")
        status, settings = api(member, "GET", "/api/notifications")
        expect(status == 200 and len(settings["ways"]) == 1, f"{settings}")
        expect(member.js("localStorage.getItem('push')") == settings["push_key"], "subscribed with another key")
        member.reload()
        member.wait(shown("#turn-off"))
        expect(member.text("#ways").count("this browser") == 1, "the browser does not know its own subscription")

    def choose(self):
        member = self.member
        row = "[...document.querySelectorAll('#kinds .item')].find(one => one.textContent.includes('{}'))"
        approval, device = row.format("asks for your approval"), row.format("A device was added")
        boxes = "[...{}.querySelectorAll('label')].filter(e => e.checkVisibility()).map(e => e.innerText.trim())"
        expect(member.js(boxes.format(device)) == [], "notices about protection can be switched off")
        # A way that nobody has is no choice.
        expect(member.js(boxes.format(approval)) == ["Browsers"], f"{member.js(boxes.format(approval))}")
        member.js(f"{approval}.querySelector('input').click()")
        until(lambda: api(member, "GET", "/api/notifications")[1]["off"] == [{"way": "push", "kind": "approval"}],
              "the choice to be kept")
        member.reload()
        member.wait(shown("#turn-off"))
        expect(not member.js(f"{approval}.querySelector('input').checked"), "the choice is not shown")
        expect(not member.js(shown("#add-email")), "a server without mail offers e-mail")

    def show(self):
        member = self.member
        member.send("ServiceWorker.enable")
        notice = {"kind": "approval", "path": "/wallet/approval#1", "tag": "one", "over": False, "language": "ar",
                  "direction": "rtl", "text": "Something waits for you in Countersign."}
        # A browser that has just turned the worker's inspection on may lose the first message; the same tag is one notice.
        for seconds in (10, 20, 30):
            self.push(json.dumps(notice))
            with contextlib.suppress(Failure):
                until(lambda: len(member.js(LISTED)) == 1, "a notice", seconds=seconds)
                break
        expect(len(member.js(LISTED)) == 1, "no notice is shown")
        expect(member.js(LISTED)[0] == {
            "title": "Countersign", "body": notice["text"], "tag": "one", "lang": "ar", "dir": "rtl", "silent": False,
            "path": "/wallet/approval#1"}, f"{member.js(LISTED)}")
        # Decided elsewhere: what is on the screen is replaced, without a sound; where nothing is, nothing comes.
        self.push(json.dumps(notice | {"over": True, "text": "It was decided."}))
        until(lambda: [one["body"] for one in member.js(LISTED)] == ["It was decided."], "the notice to be replaced")
        expect(member.js(LISTED)[0]["silent"] is True, "it makes a noise")
        self.push(json.dumps(notice | {"over": True, "tag": "two"}))
        for seconds in (10, 20, 30):
            self.push("no JSON")
            with contextlib.suppress(Failure):
                until(lambda: len(member.js(LISTED)) == 2, "a notice of what cannot be read", seconds=seconds)
                break
        expect(len(member.js(LISTED)) == 2, f"what cannot be read is shown as {member.js(LISTED)}")
        expect({one["body"] for one in member.js(LISTED)} == {"It was decided.", notice["text"]}, f"{member.js(LISTED)}")

    def touch(self):
        """A notice that is touched opens its page, and never one of another site."""
        # The worker that has shown the notices before.
        worker = [one for one, context in self.browser.workers.items() if context == self.member.context][-1]
        for tag, path, page in (("three", "/wallet/approval#1", "/wallet/approval#1"),
                                ("four", "https://evil.example/wallet", "/wallet"), ("five", "/console", "/wallet"),
                                ("six", 7, "/wallet")):
            said = self.browser.send("Runtime.evaluate", worker, expression=TOUCHED % json.dumps([tag, path]),
                                     awaitPromise=True, returnByValue=True)
            expect(said["result"].get("value") == [self.stage.url + page, 0], f"{path}: {said}")

    def dialog(self, value):
        """Types into the open dialog and goes on."""
        self.member.wait("document.querySelector('dialog[open] input')", "a dialog")
        self.member.fill("dialog[open] input", value)
        tap(self.member, "dialog[open] button.primary")

    def phone(self):
        member, sent = self.member, self.gateway.sent
        tap(member, "#add-phone")
        self.dialog("030 901820")
        member.see("cannot send there", "dialog[open]")
        self.dialog("+49 30 / 90-18.20")
        until(lambda: len(sent) == 1, "a code by SMS")
        message = next(iter(sent.values()))
        expect(message["to"] == "+4930901820", f"{message}")
        # A wrong code is said where it is typed, and the right one still counts.
        self.dialog("WRON-GONE")
        member.see("This code is wrong", "dialog[open]")
        self.dialog(re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", message["text"])[0])
        member.see("+4930901820", "#ways")
        until(lambda: "not confirmed" not in member.text("#ways"), "the number to be confirmed")
        # The server's own delivery tells the new number, and says no more than that.
        until(lambda: len(sent) == 2, "the notice")
        notice = list(sent.values())[1]
        expect(notice["text"] == "The protection of your Countersign account has changed. Look at it.", f"{notice}")
        own = "[...document.querySelectorAll('#ways .item')].find(one => one.textContent.includes('+4930'))"
        expect(not member.js(f"{own}.querySelector('[data-content]').checked"), "notices say what they are about at once")
        member.js(f"{own}.querySelector('[data-content]').click()")
        until(lambda: [way["says_content"] for way in api(member, "GET", "/api/notifications")[1]["ways"]] == [False, True],
              "the number alone to say what notices are about")
        row = "[...document.querySelectorAll('#kinds .item')].find(one => one.textContent.includes('document has come'))"
        member.js(f"{row}.querySelector('[data-way=sms]').click()")
        until(lambda: {"way": "sms", "kind": "document"} in api(member, "GET", "/api/notifications")[1]["off"],
              "the choice to be kept")
        member.js("[...document.querySelectorAll('#ways .item')].find(one => one.textContent.includes('+4930'))"
                  ".querySelector('[data-act=remove]').click()")
        until(lambda: "+4930" not in member.text("#ways"), "the number to be removed")
        until(lambda: len(sent) == 3, "the notice of its removal")
        removal = list(sent.values())[2]["text"]
        expect(removal.endswith("Look at it. A phone number for notices was removed."), removal)

    def turn_off(self):
        member = self.member
        tap(member, "#turn-off")
        member.wait(shown("#turn-on"))
        status, settings = api(member, "GET", "/api/notifications")
        expect(status == 200 and settings["ways"] == [], f"{settings}")
        expect(member.js("localStorage.getItem('push')") is None, "the browser keeps its subscription")


def main():
    case = Cases()
    gateway = Gateway("Bearer s3cret")
    threading.Thread(target=gateway.serve_forever, daemon=True).start()
    with tempfile.NamedTemporaryFile("w", suffix=".token") as token:
        token.write("s3cret\n")
        token.flush()
        return run(case, gateway, ["--sms", gateway.url, "--sms-credentials", token.name])


def run(case, gateway, flags):
    with server(*flags) as stage, Chromium(whole=True) as browser:
        notifications = Notifications(stage, browser, gateway)
        case("a browser turns them on, and knows its own subscription again", notifications.turn_on)
        case("a kind is switched off; those about protection cannot be", notifications.choose)
        case("a message is shown, replaced when it is over, and never unreadable", notifications.show)
        case("a notice that is touched opens its page", notifications.touch)
        case("a phone gets a code, then notices by SMS, and is removed", notifications.phone)
        case("a browser turns them off", notifications.turn_off)
        expect(not [text for page in browser.all_pages for text in page.complaints],
               f"{[page.complaints for page in browser.all_pages if page.complaints]}")
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
