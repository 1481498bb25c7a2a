import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { MemorySaver } from '@langchain/langgraph';

/**
 * Keeps checkpoints in a file, so that a call that waits for its user survives the process. Works for one process only;
 * a real agent uses a checkpointer with a database, such as that of `@langchain/langgraph-checkpoint-postgres`.
 */
export class FileSaver extends MemorySaver {
  #file = '';

  static async open(file: string): Promise<FileSaver> {
    const saver = new FileSaver();
    saver.#file = file;
    if (existsSync(file))
      Object.assign(
        saver,
        JSON.parse(await readFile(file, 'utf8'), (_key, value) => fromText(value)),
      );
    return saver;
  }

  override async put(...args: Parameters<MemorySaver['put']>) {
    const config = await super.put(...args);
    await this.#save();
    return config;
  }

  override async putWrites(...args: Parameters<MemorySaver['putWrites']>): Promise<void> {
    await super.putWrites(...args);
    await this.#save();
  }

  #save(): Promise<void> {
    const { storage, writes } = this;
    const text = JSON.stringify({ storage, writes }, (_key, value) =>
      value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
    );
    return writeFile(this.#file, text, { mode: 0o600 });
  }
}

const fromText = (value: unknown) =>
  value && typeof value === 'object' && 'base64' in value
    ? new Uint8Array(Buffer.from(String(value.base64), 'base64'))
    : value;
