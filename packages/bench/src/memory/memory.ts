import { type Growth, measureGrowth } from './growth.ts';
import { measureAlone, measureTogether, type ServiceMemory } from './services.ts';

export interface MemoryReport {
  readonly alone: readonly ServiceMemory[];
  readonly together: readonly ServiceMemory[];
  readonly growth: readonly Growth[];
}

/** Measures the memory and the start of the services, and what the hub keeps in memory. Linux only. */
export async function measureMemory(onProgress: (text: string) => void): Promise<MemoryReport> {
  onProgress('each service alone');
  const alone = await measureAlone();
  onProgress('all services together');
  const together = await measureTogether();
  onProgress('what the hub keeps');
  return { alone, together, growth: await measureGrowth() };
}

/** Returns the report as Markdown tables. */
export function formatMemory({ alone, together, growth }: MemoryReport): string {
  const sum = (value: (service: ServiceMemory) => number) =>
    together.reduce((total, each) => total + value(each), 0);
  return [
    '| Idle for 10 s | alone: RSS, MB | alone: PSS, MB | ready after, ms | with the others: RSS, MB | with the others: PSS, MB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...alone.map((service) => {
      const other = together.find(({ name }) => name === service.name);
      const cells = [
        service.resident,
        service.proportional,
        service.readyMs,
        other?.resident,
        other?.proportional,
      ];
      return `| \`${service.name}\` | ${cells.map((cell) => cell?.toFixed(0) ?? '').join(' | ')} |`;
    }),
    `| together | | | | ${sum((each) => each.resident).toFixed(0)} | ${sum((each) => each.proportional).toFixed(0)} |`,
    '',
    '| The hub, for each 1,000 | MB |',
    '| --- | --- |',
    ...growth.map(({ what, perThousand }) => `| ${what} | ${perThousand.toFixed(1)} |`),
  ].join('\n');
}
