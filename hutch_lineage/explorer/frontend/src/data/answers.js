// Questions to Python that have one answer each: the browser counts them, Python repeats the number.

export class Answers {
  constructor(/** @type {(message: any) => boolean} */ send) {
    this.send = send;
    this.serial = 0;
    /** @type {Map<number, (answer: any) => void>} */
    this.open = new Map();
  }

  /**
   * Ask; the promise is kept when the kernel can answer, which may be never: what waits says so meanwhile.
   * @param {{op: string, [field: string]: any}} question
   * @returns {Promise<any>} the answer, or null where nobody can give one
   */
  ask(question) {
    const serial = ++this.serial;
    return new Promise((resolve) => {
      this.open.set(serial, resolve);
      if (!this.send({ ...question, serial })) this.take({ serial, none: true });
    });
  }

  take(/** @type {any} */ answer, /** @type {any[]} */ buffers = []) {
    const resolve = this.open.get(answer?.serial);
    this.open.delete(answer?.serial);
    resolve?.(answer.none ? null : { ...answer, buffers });
  }

  /** The kernel has gone: nobody will answer. */
  end() {
    for (const serial of [...this.open.keys()]) this.take({ serial, none: true });
  }
}
