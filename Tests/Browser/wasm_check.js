// The part of wasm_check.py that runs in the browser: the module that ships, called raw and through Web/shell/core.js.

import { call, core, CoreError, useModule, b64u, fromB64u, utf8, text } from '/assets/shell/core.js';
import { drawQR } from '/assets/shell/qr.js';
import { prepare, read } from '/assets/scanner/reader.js';
import { call as approval } from '/assets/approvals/protocol.js';
import { callOld, newNumber, signedWith } from '/assets/pico/old-curves.js';
import { call as pico, settled } from '/assets/pico/protocol.js';
import { equal, raw } from '/raw_call.js';

const failures = [];
const figures = {};

function expect(condition, what) {
  if (!condition) failures.push(what);
}

async function refused(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    return error instanceof CoreError ? error.code : `${error}`;
  }
}

function digest(name) {
  return crypto.subtle.digest('SHA-256', utf8(name));
}

/** A signing key of the fixtures: its private half is the hash of a word. */
async function signer(word, publicKey) {
  const jwk = { kty: 'EC', crv: 'P-256', d: b64u(new Uint8Array(await digest(word))) };
  jwk.x = b64u(publicKey.subarray(1, 33));
  jwk.y = b64u(publicKey.subarray(33));
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  return async (bytes) =>
    b64u(new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes)));
}

/** Milliseconds: the first time, and the median of `count` times. */
async function times(count, work) {
  const all = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await work();
    all.push(performance.now() - start);
  }
  return { first: all[0], median: all.toSorted((a, b) => a - b)[count >> 1] };
}

async function checkModule(bytes, recorded) {
  const module = await WebAssembly.compile(bytes);
  expect(WebAssembly.Module.imports(module).length === 0, 'the module imports something');
  const names = WebAssembly.Module.exports(module).map((one) => one.name);
  expect(names.toSorted().join() === 'allocate,call,memory,release', `the module exports ${names}`);
  const { exports } = await WebAssembly.instantiate(module);
  for (const { name, call, answer } of recorded) {
    expect(equal(raw(exports, fromB64u(call)), fromB64u(answer)), `another answer than the native one: ${name}`);
  }
  const whole = fromB64u(recorded.find((one) => one.name === 'sha256').call);
  for (let length = 0; length < whole.length; length++) {
    expect(raw(exports, whole.subarray(0, length))[4] === 1, `a call cut at ${length} is accepted`);
  }
  const before = exports.memory.buffer.byteLength;
  for (let i = 0; i < 300; i++) for (const one of recorded) raw(exports, fromB64u(one.call).subarray(0, 200 + i));
  for (let i = 0; i < 20; i++) for (const one of recorded) raw(exports, fromB64u(one.call));
  figures.recorded = recorded.length;
  figures.memory_KiB = before >> 10;
  expect(exports.memory.buffer.byteLength === before, 'the memory grows with every call');
}

async function checkVerdicts(cases) {
  for (const { title, args, file, expected } of cases) {
    const { value } = await call('verify', args, fromB64u(file));
    if (expected.check) {
      const worst = value.checks.find((c) => c.result === 'failed') ?? value.checks.find((c) => c.result === 'unknown');
      const found = `${worst?.name} ${worst?.reason} ${worst?.result}`;
      const wanted = `${expected.check} ${expected.reason} ${expected.result}`;
      expect(found === wanted && value.verdict !== 'valid', `${title}: ${found} instead of ${wanted}`);
    } else {
      expect(value.verdict === 'valid', `${title}: ${value.summary}`);
    }
  }
  figures.verdicts = cases.length;
  const { args, file } = cases.find((one) => one.title === 'everything');
  const bytes = fromB64u(file);
  figures.verify_ms = await times(31, () => call('verify', args, bytes));
}

/** The scanner's module: the native answers, and what reader.js makes of them. */
async function checkScanner(frames) {
  const module = await WebAssembly.compile(await (await fetch('/assets/scanner/scanner.wasm')).arrayBuffer());
  expect(WebAssembly.Module.imports(module).length === 0, 'the scanner imports something');
  const { exports } = await WebAssembly.instantiate(module);
  for (const { name, call: frame, answer } of frames) {
    expect(equal(raw(exports, fromB64u(frame)), fromB64u(answer)), `another answer than the native one: frame ${name}`);
  }
  const before = exports.memory.buffer.byteLength;
  for (let i = 0; i < 5; i++) for (const one of frames) raw(exports, fromB64u(one.call));
  expect(exports.memory.buffer.byteLength === before, 'the scanner\'s memory grows with every frame');
  figures.frames = frames.length;

  await prepare();
  const link = frames.find((one) => one.name === 'a link');
  expect(read(picture(fromB64u(link.call), 1)).text === text(fromB64u(link.answer).subarray(1)), 'reader.js: a link');
  const still = read(picture(fromB64u(link.call), 1), { isStill: true });
  expect(still.text === text(fromB64u(link.answer).subarray(1)), 'reader.js: a link in a picture that stays');
  const stain = read(picture(fromB64u(frames.find((one) => one.name === 'a stain').call), 1));
  expect(stain.state === 'damaged' && !('text' in stain), `reader.js: ${stain.state}`);
  const large = picture(fromB64u(link.call), 3);
  figures.frame_ms = await times(11, () => expect(read(large).state === 'text', 'reader.js: a large frame'));
}

/** The module for approvals: what an independent program made of the same challenges, answers and receipts. */
async function checkApprovals(made) {
  const module = await WebAssembly.compile(await (await fetch('/assets/approvals/approvals.wasm')).arrayBuffer());
  expect(WebAssembly.Module.imports(module).length === 0, 'the module for approvals imports something');
  const shows = (lines) => JSON.stringify(lines.map(({ label, text: words }) => [label, words]));
  const challenges = [...made.challenges, ...made.rendering];
  for (const { note, members, message, lines } of challenges) {
    const kept = { service: members.service.id, server_key: b64u(unhex(members.key)) };
    const { value } = await approval('challenge', kept, unhex(message));
    expect(shows(value.lines) === JSON.stringify(lines), `approvals: other lines: ${note}`);
  }
  const kept = { service: made.service, server_key: b64u(unhex(made.server)) };
  for (const { note, challenge, signed, decision, message } of made.answers) {
    const { code, reason, scope } = decision;
    const choice = reason ? { decision: 'deny', reason, scope } : { decision: 'allow', ...(code ? { code } : {}) };
    const { blobs } = await approval('answer_bytes', { ...kept, ...choice }, unhex(challenge));
    expect(equal(blobs[0], unhex(signed)), `approvals: other bytes to sign: ${note}`);
    expect(unhex(message).length <= 512, `approvals: a long answer: ${note}`);
  }
  const services = { services: [{ id: made.service, key: kept.server_key }] };
  for (const { note, receipt, lines } of made.receipts) {
    const { value } = await approval('receipt', services, unhex(receipt));
    expect(shows(value.lines) === JSON.stringify(lines), `approvals: another receipt: ${note}`);
  }
  for (const { note, receipt } of made.receipts_refused) {
    expect(await refused(approval('receipt', services, unhex(receipt))), `approvals: a receipt that proves nothing: ${note}`);
  }
  figures.challenges = challenges.length;
  figures.receipts = made.receipts.length + made.receipts_refused.length;
  const first = unhex(made.challenges[0].message);
  figures.challenge_ms = await times(31, () => approval('challenge', kept, first));
}

/**
 * The modules for Pico with WebCrypto's AES and keys: runs that other programs recorded, with their keys, nonces and IVs. On P-192
 * the key of the run is ours.
 */
async function checkPico(runs) {
  for (const name of ['pico', 'old-curves']) {
    const module = await WebAssembly.compile(await (await fetch(`/assets/pico/${name}.wasm`)).arrayBuffer());
    expect(WebAssembly.Module.imports(module).length === 0, `the module ${name} imports something`);
  }
  for (const { id, curve, code_text: code, keys, nonces, messages } of runs) {
    const isOld = curve !== 'P-256';
    const through = isOld ? callOld : pico;
    const { value: read } = await pico('code', {}, utf8(code));
    if (isOld) {
      expect(read.decision === 'decline' && read.reason === 'old-curve', `pico: ${id} is not declined`);
      const { value: asked } = await callOld('code', { old: true }, utf8(code));
      expect(asked.decision === 'run' && asked.curve === 'p192', `pico: ${id} is not read`);
      expect((await refused(pico('run', { curve: 'p192' }, utf8(code)))) === 'old_curve', `pico: ${id} runs without the other module`);
    }
    const own = isOld ? null : await recordedKey(keys.pico_ephemeral);
    const [start, serviceAuth, picoAuth, status] = ['start', 'service_auth', 'pico_auth', 'status']
      .map((name) => messages.find((message) => message.name === name));
    const run = {
      curve: isOld ? 'p192' : 'p256', ...(own ? { ephemeral: own.point } : {}),
      random: b64u(unhex((isOld ? keys.pico_ephemeral.private : '00'.repeat(32)) + nonces.pico + picoAuth.iv)), times: [0], received: [],
      key: b64u(unhex(keys.pico_identity.spki).subarray(26)), extra: b64u(utf8(picoAuth.extra)),
    };
    const answers = [];
    const next = () => settled('run', run, answers, { blobs: [utf8(code)], agree: own?.agree, through });
    const isSame = (message, wire) => {
      const [ours, theirs] = [JSON.parse(text(fromB64u(message))), JSON.parse(wire)];
      return Object.entries(theirs).every(([name, value]) => ours[name] === value);
    };
    expect(isSame((await next()).message, start.wire), `pico: another Start: ${id}`);
    run.received.push(b64u(utf8(serviceAuth.wire)));
    run.times.push(1);
    const { bytes } = await next();
    expect(bytes === b64u(unhex(picoAuth.signed_bytes)), `pico: other bytes to sign: ${id}`);
    run.signature = b64u(fromDER(unhex(picoAuth.signature), isOld ? 24 : 32));
    run.times.push(2);
    expect(isSame((await next()).message, picoAuth.wire), `pico: another PicoAuth: ${id}`);
    run.received.push(b64u(utf8(status.wire)));
    run.times.push(3);
    expect((await next()).step === 'done' && answers.length === (isOld ? 3 : 4), `pico: another end: ${id}`);
    // An answer of WebCrypto to anything else counts for nothing.
    const opened = answers.find(({ operation }) => operation === 'open');
    const others = answers.map((one) => (one === opened ? { ...one, iv: b64u(new Uint8Array(16)) } : one));
    const { value } = await through('run', { ...run, answers: others }, utf8(code));
    expect(value.step === 'need' && value.iv === opened.iv, `pico: takes an answer to something else: ${id}`);
    figures[isOld ? 'pico_old_run_ms' : 'pico_run_ms'] = await times(11, next);
  }
  figures.pico_runs = runs.length;
  for (const curve of ['p192', 'secp192k1']) {
    const { publicKey, number } = await newNumber(curve);
    expect(fromB64u(publicKey).length === 49 && number.length === 24, `pico: no key on ${curve}`);
    const [one, other] = [await signedWith(curve, number, utf8('a')), await signedWith(curve, number, utf8('a'))];
    expect(fromB64u(one).length === 48 && one !== other, `pico: signatures on ${curve} are not hedged`);
  }
}

/** A key of P-256 that was recorded, as own-key.js makes them. */
async function recordedKey({ private: secret, spki }) {
  const [point, algorithm] = [unhex(spki).subarray(26), { name: 'ECDH', namedCurve: 'P-256' }];
  const jwk = { kty: 'EC', crv: 'P-256', x: b64u(point.subarray(1, 33)), y: b64u(point.subarray(33)), d: b64u(unhex(secret)) };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['deriveBits']);
  const agree = async (peer) => {
    const other = await crypto.subtle.importKey('raw', peer, algorithm, false, []);
    return new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: other }, key, 256));
  };
  return { point: b64u(point), agree };
}

/** r and s of a DER signature, so many bytes each. */
function fromDER(der, size) {
  const raw = new Uint8Array(2 * size);
  for (let part = 0, at = 2; part < 2; part += 1) {
    const bytes = der.subarray(at + 2, at + 2 + der[at + 1]);
    raw.set(bytes.subarray(Math.max(0, bytes.length - size)), size * (part + 1) - Math.min(size, bytes.length));
    at += 2 + bytes.length;
  }
  return raw;
}

const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** A frame as a canvas would give it, so many times as large. */
function picture(frame, scale) {
  const side = new DataView(frame.buffer).getUint32(0, true);
  const image = { width: side * scale, height: side * scale, data: new Uint8ClampedArray(4 * (side * scale) ** 2) };
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const shade = frame[8 + Math.floor(y / scale) * side + Math.floor(x / scale)];
      image.data.set([shade, shade, shade, 255], 4 * (y * image.width + x));
    }
  }
  return image;
}

/** A document of ten megabytes from signing to verification, with WebCrypto's signatures. */
async function checkLargeDocument({ args, file, chain }) {
  const content = new Uint8Array(10 << 20).map((_, i) => i * 31 + (i >> 8));
  const { value: leaf } = await call('chain', { root: args.root, chain, purpose: 'documents', time: args.time });
  const presentation = JSON.parse(text(fromB64u(file))).presentation;
  const { jwk } = JSON.parse(text(fromB64u(presentation.split('.')[1]))).cnf;
  const holder = new Uint8Array([4, ...fromB64u(jwk.x), ...fromB64u(jwk.y)]);
  const document = { name: 'large.pdf', media_type: 'application/pdf' };
  const draft = {
    issuer: 'https://university.example', issuer_name: 'University of Examples', time: args.time - 60, type: 'generic', holder_key: b64u(holder),
    status: { uri: 'https://university.example/status/1', index: 9 }, fields: { title: 'Large' }, document, chain,
  };
  const random = crypto.getRandomValues(new Uint8Array(4096));
  const { blobs: [input, rest] } = await call('draft', draft, random, content);
  const sign = await signer('administrator', fromB64u(leaf.public_key));
  const { blobs: [packed] } = await call('draft_finish', { signature: await sign(input) }, input, rest, content);
  const credential = utf8(JSON.parse(text(packed)).credential);
  const show = { audience: 'someone', nonce: 'n', time: args.time, fields: null, with_document: true };
  const { blobs: [bound, shown] } = await call('present', show, credential);
  const signature = await (await signer('alice', holder))(bound);
  const { blobs: [bundle] } = await call('present_finish', { signature, status: [], document }, bound, shown, content);
  let report;
  figures.verify_10_MiB_ms = await times(3, async () => {
    report = await call('verify', { root: args.root, time: args.time, audience: 'someone', nonce: 'n' }, bundle);
  });
  expect(report.value.checks.every((c) => c.result !== 'failed'), `large document: ${report.value.summary}`);
  expect(report.blobs[0] && equal(report.blobs[0], content), 'the large document comes back changed');
}

async function checkShell(bytes, everything) {
  const root = everything.args.root;
  expect((await refused(call('nothing'))) === 'unknown_function', 'core.js: unknown function');
  expect((await refused(call('thumbprint', { key: root }))) === 'bad_key', 'core.js: bad key');
  expect((await refused(call('sha256', {}, 'text'))).startsWith('TypeError'), 'core.js: a blob that is a text');
  const abc = (await call('sha256', {}, utf8('abc').buffer)).value.digest;
  expect(abc === b64u(new Uint8Array(await digest('abc'))), 'core.js: SHA-256');
  expect((await core()).call('sha256', {}, utf8('abc')).value.digest === abc, 'core.js: call at once');

  const element = document.createElement('div');
  await drawQR(element, 'https://university.example/', { label: 'A code', level: 'M' });
  const svg = element.firstElementChild;
  expect(svg.getAttribute('aria-label') === 'A code' && svg.querySelector('path').getTotalLength() > 500, 'qr.js');

  expect((await refused(useModule(utf8('no module')))) === 'unavailable', 'core.js: bytes that are no module');
  // (module (memory (export "memory") 1) and three functions that only trap)
  const trapping = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 38, 4, 6, 109, 101, 109, 111,
    114, 121, 2, 0, 8, 97, 108, 108, 111, 99, 97, 116, 101, 0, 0, 7, 114, 101, 108, 101, 97, 115, 101, 0, 0, 4, 99, 97,
    108, 108, 0, 0, 10, 5, 1, 3, 0, 0, 11,
  ];
  await useModule(new Uint8Array(trapping));
  expect((await refused(call('sha256', {}, utf8('abc')))) === 'trap', 'core.js: a trap');
  expect((await refused(call('sha256', {}, utf8('abc')))) === 'trap', 'core.js: a new instance after a trap');
  figures.load_ms = (await times(5, () => useModule(bytes))).median;
  expect((await call('sha256', {}, utf8('abc'))).value.digest === abc, 'core.js: useModule');
}

async function main() {
  const [recorded, { frames }, cases, made, runs, response] = await Promise.all([
    fetch('/calls.json').then((r) => r.json()),
    fetch('/frames.json').then((r) => r.json()),
    fetch('/cases.json').then((r) => r.json()),
    fetch('/approvals.json').then((r) => r.json()),
    fetch('/pico.json').then((r) => r.json()),
    fetch('/assets/shell/countersign.wasm'),
  ]);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const everything = cases.find((one) => one.title === 'everything');
  const start = performance.now();
  const { value } = await call('verify', everything.args, fromB64u(everything.file));
  figures.load_and_first_verify_ms = performance.now() - start;
  expect(value.verdict === 'valid', `the first call: ${value.summary}`);
  await checkModule(bytes, recorded.calls);
  await checkVerdicts(cases);
  await checkScanner(frames);
  await checkApprovals(made);
  await checkPico(runs);
  await checkLargeDocument(everything);
  await checkShell(bytes, everything);
}

await main().catch((error) => failures.push(`${error.stack ?? error}`));
await fetch('/result', { method: 'POST', body: JSON.stringify({ failures, figures }) });
