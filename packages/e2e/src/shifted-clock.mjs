// Loaded into a service before anything else (node --import): its clock is ahead by the seconds that stand in the file
// CLOCK_FILE, read at the start and at each SIGUSR2. So a test moves time in a built service, which has no switch for it.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let offsetMs = 0;

const read = () => {
  const seconds = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
  offsetMs = seconds * 1000;
  process.stderr.write(`clock: ${seconds} s ahead\n`);
};

class ShiftedDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RealDate.now() + offsetMs] : args));
  }
  static now() {
    return RealDate.now() + offsetMs;
  }
}
globalThis.Date = ShiftedDate;

process.on('SIGUSR2', read);
read();
