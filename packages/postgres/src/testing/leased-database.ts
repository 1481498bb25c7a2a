import { PGlite } from '@electric-sql/pglite';
import { START_PARAMETERS } from '../embedded-cluster.ts';
import { type Emptied, emptyDatabase, readBaseline } from './empty-database.ts';
import { filesIn, hashOf, migratedSnapshot } from './migrated-snapshot.ts';

export interface LeasedDatabase {
  readonly db: PGlite;
  /** Empties the database for the next test suite, or closes it if its original state cannot be restored. */
  giveBack(): Promise<void>;
}

/**
 * Idle databases of this process, by their migrations. Starting a database takes most of a second, emptying one a tenth
 * of that.
 */
const idle = new Map<string, { db: PGlite; baseline: Emptied }[]>();

/** Disables the timer that reports a slow start, because it would never stop. */
const WITHOUT_TIMER = ['-c', 'log_startup_progress_interval=0'];

/** @param migrations absolute path of the directory */
export async function leaseDatabase(migrations: string): Promise<LeasedDatabase> {
  const key = await hashOf(await filesIn(migrations));
  const waiting = idle.get(key) ?? [];
  idle.set(key, waiting);
  const { db, baseline } = waiting.pop() ?? (await startDatabase(migrations));
  return {
    db,
    async giveBack() {
      const emptied = await emptyDatabase(db, baseline);
      if (emptied) waiting.push({ db, baseline: emptied });
      else await db.close();
    },
  };
}

async function startDatabase(migrations: string) {
  const db = await PGlite.create({
    loadDataDir: await migratedSnapshot(migrations),
    startParams: [...START_PARAMETERS, ...WITHOUT_TIMER],
  });
  unrefTimers(db);
  return { db, baseline: await readBaseline(db) };
}

/** Prevents the timers of an idle database, such as the one that saves statistics, from keeping the process alive. */
function unrefTimers(db: PGlite): void {
  const execute = db.execProtocolRawSync.bind(db);
  db.execProtocolRawSync = (message) => {
    const { setTimeout } = globalThis;
    const unreferenced = (...args: Parameters<typeof setTimeout>) => setTimeout(...args).unref();
    globalThis.setTimeout = Object.assign(unreferenced, setTimeout);
    try {
      return execute(message);
    } finally {
      globalThis.setTimeout = setTimeout;
    }
  };
}
