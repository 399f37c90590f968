// What a role may do at the desk: the rows of docs/permissions.md that tell its roles apart. The server decides; this
// only keeps a page from offering what would be refused.

const onlyOwner = ["manage_operators", "change_desk", "erase_clients", "release_movements"];
const atTheDesk = ["keep_workspace", "enrol_clients", "take_signatures"];

const granted = {
  owner: new Set(["read_desk", "read_reports", "use_console", ...onlyOwner]),
  administrator: new Set(["read_desk", "read_reports", "use_console", ...atTheDesk]),
  operator: new Set(["read_desk", ...atTheDesk]),
};

/** Whether a role has a permission; `use_console` is the way to the administrators' pages. */
export function may(role, permission) {
  return granted[role]?.has(permission) ?? false;
}
