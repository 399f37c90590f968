// What an account may do. The server decides; this only keeps a page from offering what would be refused.

/**
 * Whether a person has a permission.
 *
 * @param who `{permissions}`, the names that the server gave with the session
 */
export const may = ({ permissions = [] }, permission) => permissions.includes(permission);
