// What an account may do. The server decides; this only keeps a page from offering what would be refused.

/** By role, for a server that does not say it with the session: the rows of docs/permissions.md that pages ask for. */
const everybody = ["own_account", "read_own_log"];
const holders = [...everybody, "prove_identity", "request_documents", "hold_documents", "share_documents"];
const atTheDesk = ["read_desk", "keep_workspace", "enrol_clients", "take_signatures"];
const atTheConsole = [
  "read_members", "revoke_member_device", "read_organisation_statistics", "read_requests", "revoke_documents", "read_reports",
];
const byRole = {
  owner: [
    ...everybody, ...atTheConsole, "read_desk", "manage_invitations", "delegate", "revoke_administrator", "erase_members",
    "read_server_log", "release_movements", "manage_operators", "change_desk", "erase_clients", "change_log_policy",
  ],
  administrator: [
    ...everybody, ...atTheConsole, ...atTheDesk, "request_delegation", "identify_members", "handle_requests",
    "sign_documents",
  ],
  operator: [...holders, ...atTheDesk],
  member: holders,
};

/**
 * Whether somebody has a permission.
 *
 * @param who `{role, permissions?}`; `permissions` is what the server says
 */
export function may({ role, permissions = byRole[role] ?? [] }, permission) {
  return permissions.includes(permission);
}
