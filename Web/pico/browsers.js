// A browser in words, from what it calls itself.

import { t } from "../shell/translate.js";

/** The first that fits counts: many call themselves by the names of others too. */
const names = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"], [/\bOPR\/|\bOPT\//, "Opera"], [/\bSamsungBrowser\//, "Samsung Internet"], [/\bVivaldi\//, "Vivaldi"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"], [/\bCriOS\/|\bChrom(e|ium)\/|\bHeadlessChrome\//, "Chrome"], [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
  [/\bAppleWebKit\//, "WebKit"],
];
const systems = [
  [/\bAndroid\b/, "Android"], [/\biPad\b/, "iPad"], [/\biPhone\b/, "iPhone"], [/\bWindows\b/, "Windows"], [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"], [/\bLinux\b/, "Linux"],
];
/** So much of a name that we do not know is shown. */
const mostShown = 80;

/** `agent` as the browser sent it, or null. */
export function browserWords(agent) {
  if (!agent) return t`A program that does not say what it is`;
  const of = (list) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const [name, system] = [of(names), of(systems)];
  if (name && system) return t`${name} on ${system}`;
  return name ?? system ?? (agent.length > mostShown ? `${agent.slice(0, mostShown)} …` : agent);
}
