// A file that Python makes, brought to the browser in parts: each is asked for when the one before is here, so no message is large.

const TYPES = { html: "text/html", graphml: "application/graphml+xml", jsonl: "application/x-ndjson", ndjson: "application/x-ndjson" };

/**
 * @param {import("../data/store.js").Store} store
 * @param {keyof TYPES} form
 * @param {(progress: string) => void} told how far it is, in a few words
 * @returns {Promise<Blob>} the file; it is refused in words
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
  for (let offset = 0, size = 1; offset < size; ) {
    const answer = await ask({ token, offset });
    size = answer.size;
    for (const part of answer.buffers) {
      parts.push(part);
      offset += part.byteLength;
    }
    if (!answer.buffers[0]?.byteLength && offset < size) throw new Error("the file came to an end too early");
    told(`${Math.floor((100 * offset) / Math.max(1, size))} %`);
  }
  return new Blob(parts, { type: `${TYPES[form]};charset=utf-8` });
}
