// What people have told the organisation: read, and removed.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, busy, day, notice } from "../shell/dom.js";
import { localList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { locale, plural, t } from "../shell/translate.js";
import { start } from "./console.js";

/** The day on which it came, which is one of UTC. */
const cameOn = (seconds) => new Date(seconds * 1000).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" });

const kinds = [{ name: "all", word: t`All`, has: () => true }];

start(async (me) => {
  if (!me.may("read_feedback")) return;
  let items = (await api.get("/api/feedback")).items;
  const view = listView({
    source: localList(() => items, kinds, ({ text, name, username, page }) => [text, name, username, page]),
    things: (number) => plural(number, "{0} message", "{0} messages"), remembers: false,
    row: { template: "feedback", values, fill },
  });
  await view.load();

  function fill(element, { id }) {
    const button = $("[data-act=remove]", element);
    button.onclick = () => busy(button, async () => {
      const answer = await ask({
        title: t`Remove this feedback?`, text: t`It is gone for every administrator, and nobody can bring it back.`,
        confirm: t`Remove it{#message}`, cancel: t`Keep it{#message}`, danger: true,
      });
      if (!answer) return;
      await api.delete(`/api/feedback/${encodeURIComponent(id)}`);
      items = items.filter((one) => one.id !== id);
      notice("success", t`The feedback is removed.`);
      await view.reload();
    });
  }
});

function values({ text, page, name, username, created, expires }) {
  return {
    text, about: [name ? `${name} (${username})` : t`Without a name`, ...(page ? [page] : []), cameOn(created)].join(" · "),
    ends: t`Removed by itself on ${day(expires)}.`,
  };
}
