import { doctorCommand } from './faces/doctor/command.ts';

process.exitCode = await doctorCommand(process.argv.slice(2), process.env, process);
