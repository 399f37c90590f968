// Out of the vault and into it: the dialogs for an export and an import.

import { confirm } from "../accounts/keys.js";
import { Problem } from "../shell/api.js";
import { make } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { carryDialog, field } from "./carry-dialog.js";
import { AgeFile } from "./export-kernel.js";
import { planOf } from "./export-plan.js";
import { chosenFile, madePassphrase, toAge, toFolder, writesFolders } from "./exporting.js";
import { bring, examined, FolderFiles, inWords } from "./importing.js";

/** The shortest passphrase, in characters. */
const shortest = 12;

const option = (name, id, value, label, isChosen) => make("label", { class: "choice" },
  make("input", { type: "radio", name, id, value, checked: isChosen }), label);

/** Today's name of an export. */
const exportName = () => `vault-${new Date().toISOString().slice(0, 10)}`;

/** Takes a copy of a folder, or of the whole vault, out. */
export function exportItems(vault, folder) {
  const place = make("select", { id: "export-folder" }, ...vault.folders().map(({ id, path }) => (
    make("option", { value: id, selected: id === folder }, path || t`The whole vault`))));
  const one = make("input", { id: "export-passphrase", type: "password", autocomplete: "new-password", maxlength: 200 });
  const again = make("input", { id: "export-again", type: "password", autocomplete: "new-password", maxlength: 200 });
  const made = make("output", { class: "as-written", id: "export-made" });
  const makeOne = make("button", { type: "button", class: "button quiet", async onclick() {
    made.textContent = one.value = again.value = await madePassphrase();
  } }, t`Make one for me`);
  const secret = make("div", { class: "stack", id: "export-secret" },
    field(one.id, t`Passphrase`, one, t`Twelve characters or more. Nobody can open the file without it: write it down.`),
    field(again.id, t`The same again`, again), make("div", { class: "actions" }, makeOne), made);
  const how = make("fieldset", { class: "stack tight", hidden: !writesFolders() }, make("legend", {}, t`How`),
    option("export-how", "export-age", "age", t`One sealed file, which opens with a passphrase`, true),
    option("export-how", "export-plain", "folder", t`Files in a folder, which anybody at this computer can read`, false));
  how.addEventListener("change", () => { secret.hidden = isFolder(); });
  const isFolder = () => how.querySelector("input[value=folder]").checked;

  return carryDialog({
    heading: t`Take a copy out`, confirm: t`Take the copy`,
    body: [
      make("p", {}, t`Every file comes out as it is, and every note as a text. Tags, reminders, earlier states, the trash, and folders that are shared or have a PIN of their own stay here. Nothing leaves the vault: this makes a copy.`),
      field(place.id, t`What`, place), how, secret,
    ],
    async act(transfer, say) {
      if (!isFolder()) check(one.value, again.value);
      const plan = planOf(vault, place.value);
      if (plan.entries.length === 0) throw new Problem("refused", { detail: t`There is nothing in this folder.` });
      // The browser lets a page ask for a place only right after a press: so first the place, then the face.
      const target = isFolder() ? await showDirectoryPicker({ mode: "readwrite" }) : await chosenFile(`${exportName()}.age`, plan.size);
      say(t`Confirm that it is you`);
      await confirm(t`Take a copy of your vault out`).catch(async (error) => {
        await target.abort?.();
        throw error;
      });
      say(isFolder() ? t`Being written …` : t`Being sealed and written …`);
      const name = isFolder() ? await toFolder(vault, plan, target, exportName(), transfer) : `${exportName()}.age`;
      if (!isFolder()) await toAge(vault, plan, one.value, target, transfer);
      one.value = again.value = "";
      return ended(plan, name, isFolder());
    },
  });
}

function check(passphrase, again) {
  if ([...passphrase].length < shortest) throw new Problem("refused", { detail: t`The passphrase is too short. Use twelve characters or more, or have one made.` });
  if (passphrase !== again) throw new Problem("refused", { detail: t`The two are not the same.` });
}

function ended({ entries, size, locked, elsewhere }, name, isFolder) {
  const folders = entries.filter(({ item }) => item.kind === "folder").length;
  return [
    make("p", {}, t`${inWords({ files: entries.length - folders, folders, size })}: all of it is in “${name}”.`),
    ...(locked > 0 ? [make("p", {}, plural(locked, "{0} locked item was left out. Take its lock off and export again to have it too.", "{0} locked items were left out. Take their locks off and export again to have them too."))] : []),
    ...(elsewhere > 0 ? [make("p", {}, plural(elsewhere, "{0} folder that is shared or has a PIN of its own was left out.", "{0} folders that are shared or have a PIN of their own were left out."))] : []),
    make("p", {}, isFolder ? t`The copy is not encrypted. Delete it when you need it no more.`
      : t`To open it without this vault, use the program age: age -d ${name} | tar -x`),
  ];
}

/** Brings files in. `drawn` draws the page again. */
export function importItems(vault, folder, drawn) {
  const file = make("input", { id: "import-file", type: "file", accept: ".age" });
  const secret = make("input", { id: "import-passphrase", type: "password", autocomplete: "off", maxlength: 200 });
  const files = make("input", { id: "import-folder", type: "file", webkitdirectory: true, multiple: true });
  const age = make("div", { class: "stack" }, field(file.id, t`The age file`, file),
    field(secret.id, t`Its passphrase`, secret, t`Or a private key of age, which begins with AGE-SECRET-KEY-1.`));
  const plain = make("div", { class: "stack", hidden: true }, field(files.id, t`The folder`, files));
  const how = make("fieldset", { class: "stack tight" }, make("legend", {}, t`Where from`),
    option("import-how", "import-age", "age", t`A sealed file (.age) with an archive in it`, true),
    option("import-how", "import-plain", "folder", t`A folder on this device`, false));
  const isFolder = () => how.querySelector("input[value=folder]").checked;
  how.addEventListener("change", () => { [age.hidden, plain.hidden] = [isFolder(), !isFolder()]; });

  return carryDialog({
    heading: t`Bring files in`, confirm: t`Look and bring in`,
    body: [make("p", {}, t`Everything goes into a new folder, so nothing that is here is changed. It appears when all of it has arrived, or not at all.`), how, age, plain],
    async act(transfer, say) {
      const looked = isFolder() ? fromFolder(files.files) : fromFile(file.files[0], secret.value);
      say(t`Looking whether it is whole …`);
      const found = await examined(looked.source, vault, transfer);
      say(t`Being sealed and sent: ${inWords(found)} …`);
      transfer.moved(0);
      const id = await bring(looked.source, vault, { parent: folder, name: looked.name, found }, transfer);
      secret.value = "";
      drawn();
      return [make("p", {}, t`${inWords(found)}: all of it is in the folder “${looked.name}”.`),
        make("p", {}, make("a", { href: `#folder=${id}`, onclick: ({ target }) => target.closest("dialog").close() }, t`Show the folder`))];
    },
  });
}

function fromFile(file, secret) {
  if (!file) throw new Problem("refused", { detail: t`Choose a file first.` });
  if (!secret) throw new Problem("refused", { detail: t`Type the passphrase of the file.` });
  return { source: new AgeFile(file, secret), name: file.name.replace(/\.age$/i, "") };
}

function fromFolder(files) {
  if (files.length === 0) throw new Problem("refused", { detail: t`Choose a folder first. It may not be empty.` });
  return { source: new FolderFiles([...files]), name: files[0].webkitRelativePath.split("/")[0] };
}
