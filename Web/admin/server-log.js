// The newest lines of the server's log: errors, requests and everything else, as the process remembers them.

import { api } from "../shell/api.js";
import { csv } from "../shell/csv.js";
import { $, busy } from "../shell/dom.js";
import { localList } from "../shell/list-source.js";
import { listView } from "../shell/list-view.js";
import { locale, plural, t } from "../shell/translate.js";
import { start } from "./console.js";

const grave = new Set(["warning", "error", "critical"]);
const kinds = [
  { name: "all", word: t`All`, has: () => true },
  { name: "errors", word: t`Errors and warnings`, has: (line) => grave.has(line.level) || line.status >= 500 },
  { name: "requests", word: t`Requests`, has: (line) => line.part === "requests" },
  { name: "events", word: t`Everything else`, has: (line) => line.part === "events" },
];

start(async (me) => {
  if (!me.may("read_server_log")) return;
  let lines = [];
  const load = async () => {
    const parts = await Promise.all(["events", "requests"].map(async (part) => {
      const { items } = await api.get(`/api/server-log?part=${part}`);
      return items.map((line) => shown(part, line));
    }));
    lines = numbered(parts.flat().sort((a, b) => b.seconds - a.seconds));
  };
  await load();
  const source = localList(() => lines, kinds, (line) => [line.title, line.level, line.details]);
  let file = "";
  const saved = () => {
    URL.revokeObjectURL(file);
    const rows = lines.map(({ seconds, level, title, details }) => [new Date(seconds * 1000).toISOString(), level, title, details]);
    file = URL.createObjectURL(new Blob([csv(["time", "level", "message", "details"], rows)], { type: "text/csv" }));
    return file;
  };
  const view = listView({
    source: { ...source, csv: saved }, kinds, things: (number) => plural(number, "{0} line", "{0} lines"),
    row: { template: "line", values: (line) => line, fill },
  });
  $("#csv").download = "server-log.csv";
  await view.load();
  $("#again").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    await load();
    await view.reload();
  }));
});

function shown(part, { time, level, message, details }) {
  const { method, route, status, ms, ...rest } = Object.fromEntries(details.map(({ name, value }) => [name, value]));
  const isRequest = message === "request";
  const more = isRequest ? { ms, ...rest } : { method, route, status, ms, ...rest };
  return {
    part, level: isRequest ? status : level, seconds: time, status: isRequest ? Number(status) : 0,
    title: isRequest ? `${method} ${route}` : message,
    time: new Date(time * 1000).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium" }),
    details: Object.entries(more).filter(([, value]) => value !== undefined).map((pair) => pair.join("=")).join("  "),
  };
}

/** Lines have no names of their own: equal ones are told apart by how many there were before. */
function numbered(lines) {
  const before = new Map();
  return lines.toReversed().map((line) => {
    const name = JSON.stringify(line);
    const number = (before.get(name) ?? 0) + 1;
    before.set(name, number);
    return { id: `${number} ${name}`, ...line };
  }).toReversed();
}

function fill(element, { level, status }) {
  const badge = $("[data-badge]", element);
  if (grave.has(level) || status >= 500) badge.classList.add("bad");
  else if (status >= 400) badge.classList.add("wait");
}
