// What a role may do on the console: the rows of docs/permissions.md that tell its two roles apart. The server decides;
// this only keeps a page from offering what would be refused.

const onlyOwner = ["manage_invitations", "delegate", "revoke_administrator", "erase_members", "read_server_log"];
const onlyAdministrator = ["request_delegation", "identify_members", "handle_requests", "sign_documents"];
const both = ["read_requests", "revoke_documents", "read_members", "revoke_member_device", "read_organisation_statistics"];

const granted = {
  owner: new Set([...both, ...onlyOwner]),
  administrator: new Set([...both, ...onlyAdministrator]),
};

/** Whether accounts of this role may come to the console at all. */
export function isConsoleRole(role) {
  return role in granted;
}

/** Whether a role has a permission. */
export function may(role, permission) {
  return granted[role]?.has(permission) ?? false;
}

/** Whether accounts of `role` may revoke a device of somebody with the role `other`. */
export function mayRevokeDevice(role, other) {
  if (other === "member" || other === "operator") return may(role, "revoke_member_device");
  return other === "administrator" && may(role, "revoke_administrator");
}
