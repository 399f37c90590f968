// Documents that were issued, looked up for one holder: nobody reads the list of all to find one of them.

import { api } from "../shell/api.js";
import { asSearch } from "../shell/text.js";

const path = (holder) => `/api/documents?${new URLSearchParams({ issued: true, q: asSearch(holder.username) })}`;

/** The documents of one holder, the newest first. */
export const issuedTo = async (holder) => (await api.all(path(holder))).filter((one) => one.holder.id === holder.id);

/** The one with this digest, or `undefined`: by it a wallet finds what it has signed, when the answer was lost. */
export const issuedAs = (digest, holder) => api.find(path(holder), (one) => one.credential_digest === digest);
