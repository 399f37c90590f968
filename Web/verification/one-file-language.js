// The language of the verify page as one file. It is chosen before other modules run: they read their texts only once.

const key = 'language';
const page = document.documentElement;
const others = [...document.querySelectorAll('template[data-language]')];
const known = ['en', ...others.map((one) => one.dataset.language)];

// Some browsers keep nothing for a page from the disk: then the address alone says what was chosen.
const kept = () => { try { return localStorage.getItem(key); } catch { return null; } };
const keep = (code) => { try { localStorage.setItem(key, code); } catch { /* It is in the address. */ } };

const wanted = [new URLSearchParams(location.search).get(key), kept(), ...(navigator.languages ?? [])]
  .map((tag) => tag?.toLowerCase().split('-')[0]);
const chosen = wanted.find((code) => known.includes(code)) ?? 'en';
const translated = others.find((one) => one.dataset.language === chosen);

if (translated) {
  const { direction, title } = translated.dataset;
  Object.assign(page, { lang: chosen, dir: direction });
  document.title = `${title} · Countersign`;
  globalThis.countersignWords = JSON.parse(document.querySelector(`[data-words="${chosen}"]`).textContent);
  for (const part of document.querySelectorAll('body > :not(svg, template, script)')) part.remove();
  others[0].before(translated.content.cloneNode(true));
}

const chooser = document.getElementById('language');
for (const { dataset: { language, name } } of others) {
  const choice = new Option(name, language);
  choice.lang = language;
  chooser.append(choice);
}
chooser.value = chosen;
chooser.addEventListener('change', () => {
  keep(chooser.value);
  location.search = new URLSearchParams({ [key]: chooser.value });
});
