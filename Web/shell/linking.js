// Where linked files put their modules (docs/pages.md): each runs once, when it is first needed, whichever file brings
// it. A module that is needed later is fetched with its imports, in the language of the page.

globalThis.countersignModules ??= {
  all: new Map(),
  // The page's own modules are here by then, and need not be fetched twice.
  ready: new Promise((resolve) => {
    if (document.readyState === 'complete') resolve();
    else document.addEventListener('DOMContentLoaded', resolve, { once: true });
  }),
  add(path, needs, make) {
    if (!this.all.has(path)) this.all.set(path, { needs, make });
  },
  start(path) {
    const one = this.all.get(path);
    if (!one) throw new Error(`${path} did not come`);
    one.exports ??= this.run(one);
    return one.exports;
  },
  async run({ needs, make }) {
    return make(...await Promise.all(needs.map((path) => this.start(path))));
  },
  async load(address) {
    const path = address.replace(/^\/assets\//, '');
    if (!this.all.has(path)) await this.ready;
    if (!this.all.has(path)) await import(`/assets/linked/${document.documentElement.lang || 'en'}/${path}`);
    return this.start(path);
  },
};
