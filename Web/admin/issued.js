// Documents that were issued, looked up for one holder: nobody reads the list of all to find one of them.

import { api } from "../shell/api.js";

const path = (holder) => `/api/documents?${new URLSearchParams({ issued: true, holder: holder.id })}`;

/** How many documents one holder has: `{total, is_more}`. */
export const issuedTo = async (holder) =>
  (await api.get(`${path(holder)}&limit=1`)).counts.find(({ show }) => show === "all");

/** The one with this digest, or `undefined`: by it a wallet finds what it has signed, when the answer was lost. */
export const issuedAs = (digest, holder) => api.find(path(holder), (one) => one.credential_digest === digest);
