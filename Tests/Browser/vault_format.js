// The part of vault_format.py that runs in the browser: the page's own reader of the vault's format opens the examples that
// the Swift code made, and writes what it can read again.

import * as compartments from '/assets/vault/compartment.js';
import * as contentOf from '/assets/vault/content.js';
import * as slotsOf from '/assets/vault/slots.js';
import * as kernel from '/assets/vault/kernel.js';
import { join, label, random, same } from '/assets/vault/bytes.js';
import { privateKey, sha256 } from '/assets/vault/sealing.js';

const format = { ...compartments, ...contentOf, ...slotsOf };
const failures = [];
const figures = {};

function expect(condition, what) {
  if (!condition) failures.push(what);
}

async function refused(what, code, promise) {
  const error = await Promise.resolve(promise).then(() => null, (error) => error);
  expect(error?.code === code, `${what}: ${error?.code ?? error ?? 'not refused'}, not ${code}`);
}

const hex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const content = (size) => Uint8Array.from({ length: size }, (_, index) => (31 * index) & 255);
const flipped = (bytes, index) => bytes.map((byte, place) => (place === index ? byte ^ 1 : byte));

function recordOf(node) {
  const versions = node.versions.map((one) =>
    ({ id: hex(one.id), content: hex(one.content), key: hex(one.key), sealedLength: one.sealed_length }));
  return {
    id: hex(node.id), place: hex(node.place), key: hex(node.key), metadata: hex(node.metadata), revision: node.revision, versions,
  };
}

async function nodes(vectors, compartment) {
  const [pin, passkey] = vectors.locks;
  const locks = [{ method: 1, id: hex(pin.id), key: hex(pin.key) }, await format.passkeyLock(hex(passkey.prf), hex(passkey.id))];
  expect(same(locks[1].key, hex(passkey.key)), 'the key of a passkey lock');
  const note = vectors.nodes.find((node) => node.locks > 0);
  expect(same(await format.itemSalt(compartment, hex(note.id), hex(passkey.id)), hex(passkey.salt)), 'the salt of an item');
  const open = new Map([['00'.repeat(16), compartment.root]]);
  for (const node of vectors.nodes) {
    const parent = open.get(node.parent);
    const record = recordOf(node);
    if (node.locks > 0) await refused('a locked node', 'locked', format.openNode(compartment, record, parent));
    for (const lock of node.locks > 0 ? locks.map((one) => [one]) : [[]]) {
      const opened = await format.openNode(compartment, record, parent, lock);
      expect(same(opened.key.key, hex(node.node_key)) && opened.key.generation === node.generation, `the key of ${node.id}`);
      expect(opened.metadata.name === JSON.parse(node.json).name, `the metadata of ${node.id}`);
      open.set(node.id, opened.key);
    }
    expect(same(await sha256(format.vouched(record)), hex(node.vouched_sha256)), `what is vouched for of ${node.id}`);
    for (const part of ['place', 'key', 'metadata']) {
      const changed = { ...record, [part]: flipped(record[part], record[part].length - 20) };
      await refused(`a changed ${part}`, 'cannot_open', format.openNode(compartment, changed, parent, locks));
    }
    await refused('another revision', 'cannot_open', format.openNode(compartment, { ...record, revision: 9 }, parent, locks));
  }
  return open;
}

async function contents(vectors, compartment, keys) {
  for (const vector of vectors.contents) {
    const node = vectors.nodes.find((one) => one.id === vector.node);
    const record = recordOf(node).versions.find((one) => same(one.id, hex(vector.version)));
    const version = await format.openVersion(compartment, keys.get(vector.node), record);
    const sealed = hex(vector.sealed);
    expect(same(version.key, hex(vector.key)) && version.size === vector.size, `the version ${vector.version}`);
    const read = (bytes) => (start, end) => bytes.slice(start, end);
    const reader = await format.contentReader(version, sealed.slice(0, 56), read(sealed));
    expect(same(await reader.bytes(0, version.size), content(version.size)), `the content ${vector.version}`);
    await reader.checkEnd();
    const end = version.size;
    expect(same(await reader.bytes(end - 3, end), content(end).slice(-3)), 'a part of a content');
    const changed = await format.contentReader(version, sealed.slice(0, 56), read(flipped(sealed, 60)));
    await refused('a changed chunk', 'cannot_open', changed.bytes(0, 1));
    const cut = await format.contentReader(version, sealed.slice(0, 56), read(sealed.slice(0, -1)));
    await refused('a cut content', 'malformed', cut.checkEnd());
    await refused('another commitment', 'cannot_open', format.contentReader(version, flipped(sealed.slice(0, 56), 40), read(sealed)));
    // The same salt gives the same ciphertext.
    const own = content(version.size);
    const sealer = await format.contentSealer(version, async (start, end) => own.slice(start, end), hex(vector.salt));
    const made = [];
    for (let at = 0; at < sealer.length; at += 5001) made.push(await sealer.part(at, Math.min(at + 5001, sealer.length)));
    expect(same(join(...made), sealed), `the ciphertext of ${vector.version}`);
  }
}

async function heads(vectors, compartment) {
  const head = await format.openHead(compartment, hex(vectors.head.sealed));
  const records = vectors.nodes.map(recordOf);
  expect(head.sequence === vectors.head.sequence && head.count === vectors.head.count, 'the head');
  await format.checkHead(compartment, head, records);
  await refused('a missing record', 'incomplete', format.checkHead(compartment, head, records.slice(1)));
  const older = { ...records[0], revision: records[0].revision + 1 };
  await refused('another record', 'incomplete', format.checkHead(compartment, head, [older, ...records.slice(1)]));
  const again = await format.openHead(compartment, await format.sealHead(compartment, head));
  expect(same(again.sum, head.sum), 'a head survives sealing');
}

async function slots(vectors, compartment) {
  const salt = hex(vectors.account_salt);
  for (const slot of vectors.slots.secret) {
    const opened = await format.openSlot(hex(slot.slot), hex(slot.secret), hex(slot.id), salt);
    expect(same(opened.id, compartment.id), `the slot of kind ${slot.kind}`);
    await refused('another secret', 'cannot_open', format.openSlot(hex(slot.slot), random(32), hex(slot.id), salt));
    if (slot.prf_salt) expect(same(await format.accountSalt(salt), hex(slot.prf_salt)), 'the salt of an account');
    if (slot.words) {
      expect((await kernel.recoveryWords(hex(slot.secret))) === slot.words, 'the words');
      expect(same(await kernel.recoveryKey(slot.words.toUpperCase()), hex(slot.secret)), 'the key of words');
    }
    if (slot.shares) {
      expect(same(await kernel.sharedSecret(slot.shares[2], slot.shares[0]), hex(slot.secret)), 'the secret of shares');
    }
    const next = await format.compartmentOf(random(32));
    const renewed = await format.renewedSlot(hex(slot.slot), hex(slot.id), salt, compartment, next);
    expect(same((await format.openSlot(renewed, hex(slot.secret), hex(slot.id), salt)).id, next.id), 'a renewed slot');
    await refused('a slot of others', 'cannot_open', format.renewedSlot(hex(slot.slot), hex(slot.id), salt, next, next));
  }
  const { contact } = vectors.slots;
  const secret = await privateKey(hex(contact.private_key));
  const opened = await format.openContactSlot(hex(contact.slot), secret, hex(contact.id), salt);
  expect(same(opened.id, compartment.id), 'the slot of a contact');
  for (const share of vectors.shares) {
    const point = hex(contact.slot).slice(2, 67);
    const access = await format.openShareTo(secret, point, hex(share.id), hex(share.to_member));
    const link = await format.openShareByLink(hex(share.link_key), share.code, hex(share.id), hex(share.by_link));
    expect(JSON.stringify(access) === JSON.stringify(link), 'a share');
    const mine = await format.shareTo(point, hex(share.id), access);
    expect(JSON.stringify(await format.openShareTo(secret, point, hex(share.id), mine)) === JSON.stringify(access), 'a share of ours');
    await refused('another code', 'cannot_open', format.openShareByLink(hex(share.link_key), '', hex(share.id), hex(share.by_link)));
  }
}

async function pins(vectors, compartment) {
  const { pin } = vectors;
  const salt = hex(vectors.account_salt);
  const start = performance.now();
  const input = await kernel.pinInput(pin.pin, salt);
  figures.argon2_ms = performance.now() - start;
  expect(same(input, hex(pin.input)), 'Argon2id');
  const opened = await format.openPINSlot(hex(pin.slot), pin.index, input, hex(pin.value), salt);
  expect(opened.purpose === format.pinPurposes.main && same(opened.key, compartment.key), 'the PIN slot');
  expect(same(opened.scalar, hex(pin.scalar)), 'the scalar of the PIN slot');
  expect(same(await kernel.pinVerifier(input, opened.scalar, hex(pin.reset_key)), hex(pin.verifier)), 'the verifier');
  await refused('another value', 'cannot_open', format.openPINSlot(hex(pin.slot), pin.index, input, random(48), salt));
  const own = await format.sealPINSlot(opened, 1, input, hex(pin.value), salt);
  expect(own.length === format.pinSlotLength, 'the length of a PIN slot');
  expect(same((await format.openPINSlot(own, 1, input, hex(pin.value), salt)).key, compartment.key), 'a PIN slot of ours');
  const attempt = await kernel.pinAttempt(input, salt);
  expect(attempt.blinded.length === 49, 'a blinded element');
  const proofs = await attempt.proofs([null, null, opened.plaintext, null], [null, null, null, null], hex(pin.try));
  expect(proofs.length === 4 && proofs.every((proof) => proof.length === 128), 'the proofs');
  await refused('an answer for another element', 'cannot_open', attempt.value(
    { element: hex(pin.evaluated), proof: hex(pin.evaluation_proof), publicKey: hex(pin.public_key) }));
  expect((await kernel.pinRefusal('123456')) === 'too_common' && (await kernel.pinRefusal('583920')) === null, 'the rules of PINs');
  expect((await kernel.cleanName('../x')) === '.._x', 'a cleaned name');
}

/** What the page writes, it reads. */
async function ours() {
  const compartment = await format.compartmentOf(random(32));
  const metadata = { kind: 'folder', name: 'Ordner – مجلد', created: 5, modified: 6, tags: ['a', 'b'] };
  const folder = await format.makeNode(compartment, metadata, compartment.root);
  const file = await format.makeNode(compartment, { kind: 'file', name: 'x', created: 5, modified: 5 }, folder.key);
  const version = format.newVersion(compartment, file.record.id, 9, 7);
  const record = await format.versionRecord(compartment, file.key, version, Uint8Array.of(1));
  const stored = await format.changeNode(compartment, file, folder.key, { versions: [record] });
  const opened = await format.openNode(compartment, stored.record, folder.key);
  expect(opened.record.revision === 2 && opened.metadata.name === 'x', 'a changed node');
  expect((await format.openVersion(compartment, opened.key, record)).size === 9, 'a version of ours');
  for (const name of ['', '.', '..', 'a/b', 'a\u202Eb', '\0', 'x'.repeat(256)]) {
    await refused(`the name ${JSON.stringify(name)}`, 'out_of_range', format.makeNode(compartment, { ...metadata, name }, compartment.root));
  }
  const salt = random(16);
  const id = random(16);
  const secret = random(32);
  const slot = await format.makeSlot(format.slotKinds.device, secret, id, salt, compartment);
  expect(same((await format.openSlot(slot, secret, id, salt)).id, compartment.id), 'a slot of ours');
}

async function main() {
  const vectors = await (await fetch('/vectors.json')).json();
  const compartment = await format.compartmentOf(hex(vectors.compartment.key));
  expect(same(compartment.id, hex(vectors.compartment.id)), 'the id of a compartment');
  expect(same(label('place').slice(-6), Uint8Array.of(112, 108, 97, 99, 101, 0)), 'a label');
  const keys = await nodes(vectors, compartment);
  await contents(vectors, compartment, keys);
  await heads(vectors, compartment);
  await slots(vectors, compartment);
  await pins(vectors, compartment);
  await ours();
}

await main().catch((error) => failures.push(`${error.stack ?? error}`));
await fetch('/result', { method: 'POST', body: JSON.stringify({ failures, figures }) });
