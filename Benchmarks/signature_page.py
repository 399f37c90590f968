"""How long a page takes to compare six signatures, in Chromium, with the module that ships.

usage: signature_page.py CALL     (CALL as `countersign-bench signatures --keep-call CALL` leaves it)
prints one JSON object: microseconds, the median
"""

import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(root / "Tests/Browser"))
import module_page  # noqa: E402

SCRIPT = b"""
const { instance } = await WebAssembly.instantiateStreaming(fetch('/module.wasm'));
const { allocate, call, release, memory } = instance.exports;
const input = new Uint8Array(await (await fetch('/call')).arrayBuffer());
const times = [];
for (const end = performance.now() + 1_500; performance.now() < end; ) {
  const start = performance.now();
  const pointer = allocate(input.length) >>> 0;
  new Uint8Array(memory.buffer, pointer, input.length).set(input);
  const answer = call(pointer, input.length) >>> 0;
  const view = new DataView(memory.buffer);
  if (view.getUint8(answer + 8) !== 0) throw new Error('refused');
  release(answer, view.getUint32(answer, true));
  times.push(performance.now() - start);
}
const microseconds = times.toSorted((a, b) => a - b)[times.length >> 1] * 1_000;
await fetch('/', { method: 'POST', body: JSON.stringify({ microseconds }) });
"""

module = (root / "Web/hand-signatures/hand-signatures.wasm").read_bytes()
call = pathlib.Path(sys.argv[1]).read_bytes()
result = module_page.run(
    SCRIPT, {"/module.wasm": ("application/wasm", module), "/call": ("application/octet-stream", call)}, 60)
if not result:
    sys.exit("the page did not answer")
print(json.dumps(result))
