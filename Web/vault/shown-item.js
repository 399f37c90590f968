// What the pages show of a node of a vault.

import { t } from "../shell/translate.js";
import { issuedType } from "./issued-type.js";

/** What is known of an item that has a lock of its own. */
export const sealed = { kind: "file", name: t`Locked item`, modified: 0, size: 0 };

/** What the pages show of a node; times in seconds. */
export function asItem({ id, record, under, metadata, locks }) {
  const base = { id, parent: under, revision: record.revision, versions: record.versions, trashed: record.trashed, isLocked: !metadata, locks };
  if (!metadata) return { ...base, ...sealed, tags: [], created: 0 };
  const seconds = (time) => (time === undefined ? undefined : Math.floor(time / 1000));
  return {
    ...base, kind: metadata.kind, name: metadata.name, type: metadata.media_type, tags: metadata.tags ?? [], text: metadata.text,
    created: seconds(metadata.created), modified: seconds(metadata.modified), expires: seconds(metadata.expires), size: metadata.size ?? 0,
    thumbnail: metadata.thumbnail, original: metadata.file_name, compartment: metadata.compartment, share: metadata.share,
    issued: metadata.media_type === issuedType && metadata.issued ? metadata.issued : undefined,
  };
}
