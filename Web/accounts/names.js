// What a person is called. Somebody who was erased has no name left, only a row that others' documents point to.

/** Whether the person behind an account was erased. */
export const isErased = (account) => account.name === "";

/** The name, or that it was erased. */
export const nameOf = (account) => (isErased(account) ? "(erased person)" : account.name);
