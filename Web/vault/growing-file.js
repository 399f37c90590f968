// A file of this computer that the person has chosen, and that is written as it grows.

/**
 * Asks where it goes. Throws an AbortError when the person has cancelled.
 *
 * @returns `{write(bytes), close(), abort()}`: nothing is kept unless it was closed
 */
export async function growingFile(options) {
  const handle = await showSaveFilePicker(options);
  const file = await handle.createWritable();
  return {
    write: (bytes) => file.write(bytes), close: () => file.close(),
    async abort() {
      await file.abort().catch(() => {});
      // The browser made an empty file when it was chosen. One that was there before stays as it was.
      if ((await handle.getFile().catch(() => null))?.size === 0) await handle.remove?.().catch(() => {});
    },
  };
}
