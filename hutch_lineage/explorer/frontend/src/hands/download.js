// A file that Python makes, brought to the browser in parts: each is asked for when the one before is here, so no message is large.

/**
 * @param {import("../data/store.js").Store} store
 * @param {string} form how it ends
 * @param {(progress: string) => void} told how far it is, in a few words
 * @returns {Promise<{file: Blob, notes?: string}>} the file, and what is not in it; it is refused in words
 */
export async function download(store, form, told) {
  const ask = async (/** @type {any} */ question) => {
    const answer = await store.ask({ op: "export", ...question });
    if (!answer) throw new Error("the kernel has ended");
    if (answer.error) throw new Error(answer.error);
    return answer;
  };
  told("Waiting for the kernel…");
  const { token } = await ask({ form });
  told(`Making ${form.toUpperCase()}…`);
  /** @type {BlobPart[]} */
  const parts = [];
  let notes;
  for (let offset = 0, size = 1; offset < size; ) {
    const answer = await ask({ token, offset });
    ({ size, notes } = answer);
    for (const part of answer.buffers) {
      parts.push(part);
      offset += part.byteLength;
    }
    if (!answer.buffers[0]?.byteLength && offset < size) throw new Error("the file came to an end too early");
    told(`${Math.floor((100 * offset) / Math.max(1, size))} %`);
  }
  return { file: new Blob(parts), notes };
}
