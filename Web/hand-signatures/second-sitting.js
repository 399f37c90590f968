// The second sitting: three more signatures on another day.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { takeSignatures } from "./capture.js";
import { faultOf, sentence } from "./enrolling.js";
import { circumstances } from "./paper-fields.js";
import { takeOne } from "./taking-one.js";
import { nameOf } from "./words.js";

/**
 * Takes and sends them.
 *
 * @param paper that the operator has seen
 * @returns the log's receipt, `{}` when its answer was lost, or `null` when it was given up
 */
export async function secondSitting(client, paper) {
  const name = nameOf(client);
  const taken = await takeSignatures({
    title: t`${name} signs three times`, count: 3, tool: client.tool,
    words: t`Sign in the field, as you always do. Another day's signatures make the comparison fairer.`,
  });
  if (!taken) return null;
  const { captures, tool, way } = taken;
  const said = { paper, circumstances: await circumstances(taken.device) };
  for (;;) {
    try {
      return await send(client, said, captures);
    } catch (error) {
      const place = faultOf(error)?.place;
      if (place === undefined || place >= captures.length) throw error;
      const isGoingOn = await ask({
        title: t`Signature ${place + 1} must be written again`, text: t`${sentence(error)} The others are kept.`,
        confirm: t`Write it again`, cancel: t`Give up`,
      });
      if (!isGoingOn) return null;
      const others = captures.filter((_, index) => index !== place);
      const capture = await takeOne({ title: t`${name} signs again`, words: t`Sign in the field, as you always do.`, others, tool, way });
      if (!capture) return null;
      captures[place] = capture;
    }
  }
}

async function send({ id }, said, signatures) {
  const path = `/api/clients/${encodeURIComponent(id)}`;
  const { receipt } = await once(
    t`the signatures of the second sitting were taken`,
    () => api.post(`${path}/sitting`, { ...said, signatures }),
    async () => ((await api.get(path)).needs_second_sitting ? undefined : { receipt: {} }));
  return receipt;
}
