// Registering a client: paper, five signatures, a check signature, result. With a client's id in the fragment it makes
// a new template for a registered client. The signatures are kept only in memory, and leaving asks first.

import { api } from "../shell/api.js";
import { $, $$, busy, clone, fill, notice, time } from "../shell/dom.js";
import { stepper } from "../shell/steps.js";
import { t } from "../shell/translate.js";
import { askedFields } from "./client-fields.js";
import { saveReceipt, verifyReceipt } from "../transparency/receipts.js";
import { drawCapture } from "./drawing.js";
import { enrolAgain, faultOf, register, sentence } from "./enrolling.js";
import { identityForm } from "./identity-form.js";
import { deviceWords, told } from "./refusals.js";
import { fragment, start } from "./start.js";
import { Six } from "./taking-six.js";
import { nameOf, tools } from "./words.js";

const stages = { person: 1, five: 2, check: 3, sending: 4, refused: 4, done: 4 };

start(async (me) => {
  const steps = stepper({ onBack: () => steps.current() });
  addEventListener("hashchange", () => location.reload());
  if (!me.may("enrol_clients")) return barred(t`Operators register clients`, t`Your account looks after the desk; those who work there register clients.`);
  const client = fragment() === "" ? null : await api.get(`/api/clients/${encodeURIComponent(fragment())}`).catch((error) => {
    if (error.kind !== "not-found") throw error;
    return undefined;
  });
  if (client === undefined) return barred(t`There is no such client`, t`The link that led here is not whole, or the client was erased.`);
  const form = identityForm(client, client ? [] : await askedFields());
  let person = null;
  let six = null;
  let isDone = false;

  for (const element of $$(client ? "[data-again]" : "[data-new]")) element.hidden = false;
  if (client) begunAgain(client);
  addEventListener("beforeunload", (event) => { if (!isDone && (six?.isTouched || form.isTouched())) event.preventDefault(); });
  $("#person").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#next"), identify);
  });
  const acts = {
    "take-five": takeFive, "five-again": takeFive, "refused-five": takeFive, "take-check": takeCheck, change: () => show("person"),
  };
  for (const [id, act] of Object.entries(acts)) $(`#${id}`).addEventListener("click", ({ currentTarget }) => busy(currentTarget, act));
  show("person");

  function show(name) {
    $("#step").hidden = name === "done";
    $("#step").textContent = t`Step ${stages[name]} of ${4}`;
    steps.show(name);
  }

  async function identify() {
    person = await form.read();
    if (!person) return;
    const name = nameOf(client ?? person);
    if (six) six.name = name;
    six ??= new Six(name);
    for (const place of $$("[data-text=name]")) place.textContent = name;
    show(six.isTouched ? "check" : "five");
    drawTaken();
  }

  async function takeFive() {
    if (!await six.takeFive()) return;
    show("check");
    drawTaken();
  }

  /** Once the section is there to be drawn in. */
  function drawTaken() {
    $("#taken").replaceChildren(...six.references.map(() => clone("signature")));
    for (const [index, canvas] of $$("#taken canvas").entries()) drawCapture(canvas, six.references[index]);
  }

  async function takeCheck() {
    if (await six.takeCheck()) await send();
  }

  async function send() {
    show("sending");
    try {
      const said = { ...person, circumstances: await form.circumstances(six.device) };
      const act = client ? await enrolAgain(client, said, six.signatures) : await register(said, six.signatures);
      await finish(act);
    } catch (error) {
      refused(error);
    }
  }

  function refused(error) {
    const fault = faultOf(error);
    if (fault?.person) {
      // The signatures stay until that is corrected.
      notice("error", sentence(error));
      return show("person");
    }
    if (fault?.check) return offer(t`Again, please`, sentence(error), t`Sign the check signature again`, takeCheck);
    if (fault) {
      return offer(t`Signature ${fault.place + 1} must be written again`, sentence(error), t`Write signature ${fault.place + 1} again`, async () => {
        if (await six.takeAgain(fault.place)) await send();
      });
    }
    return offer(t`Not registered yet`, sentence(error), t`Try again`, send);
  }

  function offer(title, text, action, act) {
    $("#refused-title").textContent = title;
    $("#refused-text").textContent = text;
    $("#refused-again").textContent = action;
    $("#refused-again").onclick = () => busy($("#refused-again"), act);
    show("refused");
  }

  async function finish({ client: made, comparison, receipt }) {
    isDone = true;
    const proof = receipt && me.record ? await verifyReceipt(me.record.trust, receipt, client ? "client.enrolled_anew" : "client.enrolled") : null;
    $("#done-title").textContent = client ? t`The new template is made` : t`Registered`;
    $("#done-text").textContent = t`From now on signatures of ${nameOf(made)} are compared with these.`;
    const facts = [
      [t`Client`, nameOf(made)], [t`Signs with`, tools[made.tool]],
      ...(comparison ? [[t`Check signature`, told(comparison.sentence)], [t`Its device`, deviceWords(comparison.device)]] : []),
      ...(proof ? [[t`Entry in the log`, t`number ${proof.index}, ${time(proof.time)}`]] : []),
    ];
    $("#done-facts").replaceChildren(...facts.map(([label, value]) => clone("fact", { label, value })));
    $("#second").hidden = !made.needs_second_sitting;
    $("#sign").href = `/desk/sign#client=${encodeURIComponent(made.id)}`;
    $("#profile").href = `/desk/client#${encodeURIComponent(made.id)}`;
    $("#save-receipt").hidden = !receipt;
    $("#save-receipt").onclick = () => saveReceipt(receipt, "client");
    six = null;
    show("done");
  }

  function barred(title, text) {
    $("#barred-title").textContent = title;
    $("#barred-text").textContent = text;
    steps.show("barred");
  }
});

function begunAgain(client) {
  document.title = document.title.replace(t`Register a client`, t`A new template`);
  $("#heading").textContent = t`A new template`;
  $("#lead").textContent = t`The client signs six times again, and the old template is destroyed.`;
  $("#person-title").textContent = t`Is it the same person?`;
  fill($("#person"), { name: nameOf(client), number: client.number });
}
