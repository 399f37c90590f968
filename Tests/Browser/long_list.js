// A fake server with two lists: 25,000 accounts and 3,000 transactions, page by page, by the rules of docs/http.md,
// "Lists". `longList` records the requests, and lets a test delay and fail answers, add rows and tell of changes.

const most = 10_000;
const isMember = ({ role }) => role === 'member';
const member = (number) => ({
  id: `account-${number}`, username: `person${number}@example`, name: `Person ${number}`,
  role: number % 1000 === 0 ? 'administrator' : 'member', is_verified: number % 3 === 0, created: 1_700_000_000 + number,
});
const states = ['confirmed', 'refused', 'lapsed'];
const signing = (number) => ({
  id: `signing-${number}`, client_name: `Client ${number}`, document_name: 'Consent to treatment', created: 1_700_000_000 + number,
  operator_id: `operator-${number % 4}`, operator_name: `Operator ${number % 4}`, state: states[number % 3], is_match: number % 3 === 0,
});
const rowsOf = (size, make) => Array.from({ length: size }, (_, index) => make(size - index));
const lists = {
  '/api/members': {
    rows: rowsOf(25_000, member), text: (one) => `${one.name} ${one.username}`,
    parts: {
      all: () => true, verified: (one) => isMember(one) && one.is_verified,
      unverified: (one) => isMember(one) && !one.is_verified, staff: (one) => !isMember(one),
    },
  },
  '/api/signings': {
    rows: rowsOf(3000, signing), text: (one) => one.client_name,
    parts: { all: () => true, ...Object.fromEntries(states.map((state) => [state, (one) => one.state === state])) },
  },
};
const wait = (time) => new Promise((done) => { setTimeout(done, time); });

self.longList = {
  asked: [], delays: {}, failures: 0,
  add() {
    const { rows } = lists['/api/members'];
    const number = rows.length + 1;
    rows.unshift(member(number));
    this.tell({ kind: 'account', id: `account-${number}`, state: 'created' });
  },
  tell(event) { this.stream?.onmessage({ data: JSON.stringify(event) }); },
};

const fetched = self.fetch;
self.fetch = async (path, options) => {
  const { pathname, searchParams } = new URL(path, location.origin);
  const list = lists[pathname];
  if (!list) return fetched(path, options);
  const { show = 'all', q = '', cursor, limit = 100, operator, sort } = Object.fromEntries(searchParams);
  self.longList.asked.push({ show, q, cursor, sort, limit: Number(limit) });
  await wait(self.longList.delays[q] ?? 20);
  options.signal?.throwIfAborted();
  const headers = { 'Content-Type': 'application/json' };
  if (self.longList.failures > 0) {
    self.longList.failures -= 1;
    return new Response(JSON.stringify({ type: '/problems/busy', title: 'Busy' }), { status: 503, headers });
  }
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = list.rows.filter((one) => (!operator || one.operator_id === operator) && words.every(
    (word) => list.text(one).toLowerCase().split(/[^a-z0-9]+/).some((part) => part.startsWith(word))));
  const part = found.filter(list.parts[show]);
  if (sort === 'name') part.sort((one, other) => (one.name < other.name ? -1 : 1));
  const begin = cursor ? part.findIndex(({ id }) => id === cursor) + 1 : 0;
  const items = part.slice(begin, begin + Number(limit));
  const counts = Object.entries(list.parts).map(([name, has]) => {
    const total = found.filter(has).length;
    return { show: name, total: Math.min(total, most), is_more: total > most };
  });
  return new Response(JSON.stringify({
    items, next: begin + items.length < part.length ? items.at(-1).id : undefined, counts: cursor ? undefined : counts,
  }), { headers });
};

self.EventSource = class {
  static CLOSED = 2;
  readyState = 1;
  constructor() {
    self.longList.stream = this;
    setTimeout(() => this.onopen?.());
  }
  close() {}
};
