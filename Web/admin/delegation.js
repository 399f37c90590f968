// Delegation: the main administrator invites and certifies, an administrator asks and reads their fingerprint out.

import { invitations } from "../accounts/invitations.js";
import { $ } from "../shell/dom.js";
import { onChange } from "../shell/events.js";
import { start } from "./console.js";
import { delegationList } from "./delegation-list.js";
import { ownCertification } from "./own-certification.js";

start(async (me) => {
  if (me.may("request_delegation")) {
    const show = ownCertification(me);
    await show();
    onChange("delegation", show);
    return;
  }
  me.needKeys();
  const showDelegations = delegationList(me);
  const showInvitations = invitations();
  await Promise.all([showDelegations(), showInvitations()]);
  if (location.hash === "#invite") $("#role").focus();
  onChange("delegation", showDelegations);
  onChange(["account", "invitation"], showInvitations);
});
