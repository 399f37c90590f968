// The part of vault_format.py that runs in the browser: the page's own reader of the vault's format opens the examples that
// the Swift code made, and writes what it can read again.

import * as compartments from '/assets/vault/compartment.js';
import * as contentOf from '/assets/vault/content.js';
import * as slotsOf from '/assets/vault/slots.js';
import * as kernel from '/assets/vault/kernel.js';
import { get, put } from '/assets/accounts/store.js';
import { join, label, padme, random, Reader, same, textOf, u32, utf8 } from '/assets/vault/bytes.js';
import { b64u, call } from '/assets/shell/core.js';
import { keyCheck, purposes, unseal } from '/assets/shell/sealed-link.js';
import { draftOf, dropDraft, keepDraft } from '/assets/vault/drafts.js';
import { unpacked } from '/assets/vault/link-content.js';
import { canonical, decodeMetadata } from '/assets/vault/metadata.js';
import { derive, expand, open, openSealedTo, privateKey, sha256 } from '/assets/vault/sealing.js';
import { SeenState } from '/assets/vault/seen.js';
import { pictureOf } from '/assets/vault/thumbnails.js';

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

/**
 * The end of 5 GiB, of which only that much is read: places and numbers of chunks need more than 32 bits there. What is sealed is
 * opened chunk by chunk with nonces reckoned here, as C2SP writes them: the number, big-endian, in the last 5 of 12 bytes.
 */
async function large(compartment) {
  const version = format.newVersion(compartment, random(16), 5 * 2 ** 30 - 10, 7);
  const byte = (at) => (31 * at + Math.floor(at / format.chunkLength)) % 251;
  const plain = (start, end) => Uint8Array.from({ length: end - start }, (_, index) => byte(start + index));
  const salt = random(24);
  const sealer = await format.contentSealer(version, async (start, end) => plain(start, end), salt);
  const chunks = 5 * 2 ** 30 / 16_384;
  expect(sealer.length === 56 + 5 * 2 ** 30 + (chunks + 1) * 16 && chunks > 2 ** 32 / 16_384, 'the length of 5 GiB sealed');
  const first = chunks - 6;
  const from = 56 + first * 16_400;
  const [header, sealed] = [await sealer.part(0, 56), await sealer.part(from, sealer.length)];
  expect(same(await sealer.part(from + 70_001, sealer.length), sealed.slice(70_001)), 'a part that begins within a chunk');
  const reader = await format.contentReader(version, header, (start, end) => sealed.slice(start - from, end - from));
  const begin = first * 16_384;
  expect(same(await reader.bytes(begin, version.size), plain(begin, version.size)), 'the end of 5 GiB');
  expect(same(await reader.bytes(begin + 20_000, begin + 50_000), plain(begin + 20_000, begin + 50_000)), 'a part near the end of 5 GiB');
  await reader.checkEnd();
  const info = join(utf8('c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0'), salt, compartment.id, version.node, version.id);
  const output = await expand(version.key, info, 76, 'SHA-512');
  const key = await crypto.subtle.importKey('raw', output.slice(0, 32), 'AES-GCM', false, ['decrypt']);
  const base = output.slice(32, 44).reduce((number, one) => (number << 8n) | BigInt(one), 0n);
  for (let chunk = first; chunk <= chunks; chunk += 1) {
    const iv = hex((base ^ BigInt(chunk)).toString(16).padStart(24, '0'));
    const box = sealed.slice((chunk - first) * 16_400, (chunk - first + 1) * 16_400);
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, box).then((bytes) => new Uint8Array(bytes), () => null);
    const meant = plain(chunk * 16_384, Math.min((chunk + 1) * 16_384, version.size));
    expect(opened && same(opened.slice(0, meant.length), meant) && opened.slice(meant.length).every((one) => one === 0), `chunk ${chunk}`);
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

/** What a device keeps: an older sequence and an older node are refused, those in the trash too, which no head vouches for. */
async function seen(vectors, compartment) {
  const records = vectors.nodes.map(recordOf);
  const { sequence } = vectors.head;
  const older = (index) => records.map((one, place) => (place === index ? { ...one, revision: one.revision - 1 } : one));
  const kept = hex(vectors.seen);
  const again = await SeenState.of(sequence, records).sealed(compartment);
  expect(again.length === kept.length, 'the length of what is seen');
  for (const state of [await SeenState.read(compartment, kept), await SeenState.read(compartment, again)]) {
    expect(state.sequence === sequence && state.allows(sequence, records), 'what is seen');
    expect(!state.allows(sequence - 1, records), 'an older sequence is not found');
    for (const index of records.keys()) expect(!state.allows(sequence + 1, older(index)), `an older node ${index} is not found`);
    expect(state.allows(sequence + 1, records.slice(1)), 'a node that is gone');
  }
  expect((await SeenState.read(compartment, undefined)).allows(0, records), 'a device that has seen nothing');
  await refused('what was seen of another', 'cannot_open', SeenState.read(await format.compartmentOf(random(32)), kept));
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

/** What a member and a caretaker are given: signed by the owner's device, and sealed to each of theirs. */
async function grants(vectors, compartment) {
  const length = 593;
  for (const vector of vectors.grants) {
    const { devices, role } = vector;
    const given = hex(vector.given);
    const end = 2 + devices.length * length;
    expect(same(given.slice(0, 2), Uint8Array.of(1, devices.length)), `the form of what a ${role} is given`);
    const key = b64u(hex(vector.signing_point));
    const { value } = await call('jws_verify', { jws: textOf(given.slice(end)), type: 'countersign-vault-share+jwt', key });
    const said = value.payload;
    expect(said.aud === vector.audience && said.member === vector.member && said.role === role, `the statement for a ${role}`);
    expect(said.compartment === vectors.compartment.id, `the compartment of a ${role}`);
    expect(said.sealed === b64u(await sha256(given.slice(0, end))), `what the statement for a ${role} covers`);
    for (const [index, device] of devices.entries()) {
      const secret = await privateKey(hex(device.private_key));
      const piece = given.slice(2 + index * length, 2 + (index + 1) * length);
      const access = await format.openShareTo(secret, hex(device.point), compartment.id, piece);
      const isMeant = role === 'caretaker'
        ? access.name === 'inbox' && same(access.inbox, hex(vectors.inbox.point))
        : access.name === 'Together' && same(access.key, compartment.key);
      expect(isMeant, `what a ${role} is given on device ${index}`);
      await refused('a piece of another share', 'cannot_open', format.openShareTo(secret, hex(device.point), random(16), piece));
    }
  }
}

async function inbox(vectors, compartment) {
  const vector = vectors.inbox;
  const [id, point, drop] = [hex(vector.id), hex(vector.point), hex(vector.sealed)];
  const secret = await privateKey(hex(vector.private_key));
  const said = new Reader(await openSealedTo(secret, point, 'inbox', join(compartment.id, id), drop));
  const version = format.readVersion(said.take(16), id, said.take(64));
  const metadata = decodeMetadata(said.take(said.remaining));
  expect(same(version.id, hex(vector.version)) && same(version.key, hex(vector.key)), 'the version in an inbox');
  expect(canonical(metadata) === vector.json && metadata.size === version.size, 'the metadata in an inbox');
  const sealed = hex(vector.content);
  const reader = await format.contentReader(version, sealed.slice(0, 56), (start, end) => sealed.slice(start, end));
  expect(same(await reader.bytes(0, version.size), content(version.size)), 'the content in an inbox');
  await reader.checkEnd();
  await refused('a drop under another id', 'cannot_open', openSealedTo(secret, point, 'inbox', join(compartment.id, random(16)), drop));
}

async function linkedFile({ linked_file: vector }) {
  const key = hex(vector.key);
  const opened = unpacked(await unseal(hex(vector.sealed), key, purposes.vault));
  expect(opened.name === vector.name && opened.type === vector.type, 'what the file behind a link is');
  expect(same(opened.content, hex(vector.content)), 'the file behind a link');
  expect(await keyCheck(key) === vector.key_check, 'the key check of a link');
}

/** The page never goes on with an upload that was cut; what it seals leaves the same trails. */
async function unfinished(vectors, compartment) {
  const vector = vectors.unfinished;
  const box = hex(vector.sealed);
  const said = new Reader(await open(await derive(compartment.key, 'unfinished'), 'unfinished', compartment.id, box));
  const node = said.take(16);
  const version = format.readVersion(said.take(16), node, said.take(64));
  const [salt, part] = [said.take(24), said.number(8)];
  expect(same(version.id, hex(vector.version)) && part === vector.part, 'the version of a cut upload');
  expect(same(said.take(said.number(1)), hex(vector.content)), 'the name of a cut upload');
  const own = content(version.size);
  const sealer = await format.contentSealer(version, async (start, end) => own.slice(start, end), salt);
  const sealed = await sealer.part(0, sealer.length);
  let trail = join(version.home, node, version.id);
  for (const [index, kept] of vector.trails.entries()) {
    const tags = [];
    for (let at = format.headerLength; at < sealed.length; at += format.sealedChunk) {
      const end = Math.min(at + format.sealedChunk, sealed.length);
      if (at >= index * part && at < (index + 1) * part) tags.push(sealed.slice(end - 16, end));
    }
    trail = await sha256(join(trail, ...tags));
    expect(same(trail, hex(kept)) && same(said.take(32), trail), `the trail of part ${index}`);
  }
  said.finish();
}

async function drafts(vectors, compartment) {
  for (const vector of vectors.drafts) {
    const place = { key: hex(vector.key), id: compartment.id };
    const [name, kept] = [`vault draft ${vector.name}`, hex(vector.sealed)];
    await put('settings', name, kept);
    const draft = await draftOf(place);
    expect(JSON.stringify(draft) === vector.json, 'a draft');
    await keepDraft(place, draft);
    const own = await get('settings', name);
    expect(own.length === kept.length && !same(own, kept), 'where a draft of ours is');
    expect(JSON.stringify(await draftOf(place)) === vector.json, 'a draft of ours');
    await dropDraft(place);
    expect(await draftOf(place) === null, 'a draft that was dropped');
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
  const attempt = await kernel.pinAttempt(input, salt, b64u(hex(pin.blind)));
  expect(same(attempt.blinded, hex(pin.blinded)), 'the blinded element');
  const evaluation = { element: hex(pin.evaluated), proof: hex(pin.evaluation_proof), publicKey: hex(pin.public_key) };
  expect(same(await attempt.value(evaluation), hex(pin.value)), 'the value of the guard');
  const proofs = await attempt.proofs([null, null, opened.plaintext, null], [null, null, null, null], hex(pin.try));
  expect(proofs.length === 4 && proofs.every((proof) => proof.length === 128), 'the proofs');
  await refused('an answer for another element', 'cannot_open', kernel.pinAttempt(input, salt).then((other) => other.value(evaluation)));
  await refused('a changed proof', 'cannot_open', attempt.value({ ...evaluation, proof: flipped(evaluation.proof, 90) }));
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

/** What somebody else may have sealed: members of another kind than theirs are refused as in Core, and not by chance. */
async function hostile() {
  const fine = { kind: 'file', name: 'x', created: 5, modified: 5 };
  const decode = async (metadata) => {
    const json = utf8(canonical(metadata));
    const bytes = join(u32(json.length), json);
    return decodeMetadata(join(bytes, new Uint8Array(padme(bytes.length) - bytes.length)));
  };
  expect((await decode(fine)).name === 'x', 'plain metadata');
  for (const spoilt of [{ tags: 5 }, { tags: {} }, { tags: null }, { tags: [5] }, { text: null }, { media_type: null }, { thumbnail: null }, { thumbnail: 5 }, { name: 5 }]) {
    await refused(`metadata with ${JSON.stringify(spoilt)}`, 'malformed', decode({ ...fine, ...spoilt }));
  }
  const pin = { reset: 'A'.repeat(43) };
  const pins = (one) => ({ settings: { pins: [one, pin, pin, pin] } });
  const deep = (depth) => (depth === 0 ? [] : [deep(depth - 1)]);
  expect((await decode({ ...fine, ...pins({ ...pin, purpose: 4, node: 'A'.repeat(22) }), thumbnail: 'AA', zz: deep(30) })).zz, 'what Core reads');
  expect((await decode({ ...fine, zz: Array(4090).fill(0) })).zz.length === 4090, 'as many values as Core reads');
  for (const spoilt of [
    { text: 'a\uD800' }, { tags: ['\uDC00'] }, { media_type: '\uD800' }, { zz: [{ deeper: '\uD800x' }] }, { '\uD800': 1 },
    ...['!', 'A', 'AB', 'AA==', '/9j/', 'A A', 'AAA\u0009', 'AAB'].map((thumbnail) => ({ thumbnail })),
    { compartment: 'AA' }, { compartment: 5 }, { compartment: `${'A'.repeat(42)}B` }, { settings: null }, { settings: [] }, { settings: { pins: [] } },
    { settings: { pins: [pin, pin, pin, pin], more: 1 } }, ...[null, {}, { reset: 'AA' }, { ...pin, purpose: 5 }, { ...pin, purpose: null }, { ...pin, node: 'AA' },
      { ...pin, more: 1 }].map(pins), { zz: deep(31) }, { zz: Array(4096).fill(0) },
  ]) {
    await refused(`metadata with ${JSON.stringify(spoilt).slice(0, 80)}`, 'malformed', decode({ ...fine, ...spoilt }));
  }
  for (const spoilt of [{ expires: null }, { size: null }, { size: -1 }, { expires: '5' }]) {
    await refused(`metadata with ${JSON.stringify(spoilt)}`, 'out_of_range', decode({ ...fine, ...spoilt }));
  }
  for (const thumbnail of [undefined, 5, '', '!', 'A', 'AB', '/9j/', 'a'.repeat(30_000)]) {
    expect(pictureOf(thumbnail) === null, `the picture ${String(thumbnail).slice(0, 9)}`);
  }
  bombs();
}

/** A browser makes room for what a JPEG says of its size: a few bytes may ask for gigabytes. */
function bombs() {
  const frame = (width, height, marker = 0xc0) =>
    [0xff, marker, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 17, 0];
  const jpeg = (...parts) => b64u(Uint8Array.from([0xff, 0xd8, ...parts.flat(), 0xff, 0xda, 0, 2]));
  expect(pictureOf(jpeg(frame(160, 120)))?.type === 'image/jpeg', 'a small picture');
  for (const [what, picture] of Object.entries({
    'a large one': jpeg(frame(65_535, 65_535)), 'a long one': jpeg(frame(160, 30_000)), 'a wide one': jpeg(frame(30_000, 120)),
    'a large progressive one': jpeg(frame(65_535, 65_535, 0xc2)), 'a large second frame': jpeg(frame(160, 120), frame(65_535, 65_535)),
    'no frame': jpeg(), 'a frame that ends early': b64u(Uint8Array.from([0xff, 0xd8, ...frame(160, 120).slice(0, 6)])),
  })) {
    expect(pictureOf(picture) === null, `a picture with ${what}`);
  }
}

async function main() {
  const vectors = await (await fetch('/vectors.json')).json();
  const compartment = await format.compartmentOf(hex(vectors.compartment.key));
  expect(same(compartment.id, hex(vectors.compartment.id)), 'the id of a compartment');
  expect(same(label('place').slice(-6), Uint8Array.of(112, 108, 97, 99, 101, 0)), 'a label');
  const keys = await nodes(vectors, compartment);
  await contents(vectors, compartment, keys);
  await large(compartment);
  await heads(vectors, compartment);
  await seen(vectors, compartment);
  await slots(vectors, compartment);
  await pins(vectors, compartment);
  await ours();
  await hostile();
  await grants(vectors, compartment);
  await inbox(vectors, compartment);
  await linkedFile(vectors);
  await unfinished(vectors, compartment);
  await drafts(vectors, compartment);
}

await main().catch((error) => failures.push(`${error.stack ?? error}`));
await fetch('/result', { method: 'POST', body: JSON.stringify({ failures, figures }) });
