// Preloaded into a service (node --import): moves its clock ahead by the number of seconds in the file CLOCK_FILE, read
// at start and at each SIGUSR2. Tests use it to move time in a built service, which has no setting for it.
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
