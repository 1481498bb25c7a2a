/** Labels of a metric, with the values that were seen. */
type Labels = Map<string, Set<string>>;

/** The metrics that services expose, by the names that queries use, including the suffixes of histograms. */
export class Exposed {
  readonly series = new Map<string, Labels>();
  /** Declared names, including those without a value yet */
  readonly declared = new Set<string>();

  /** @param text in Prometheus' text format, as `/metrics` returns it */
  add(text: string): void {
    for (const line of text.split('\n')) {
      const [, declared] = /^# TYPE (\w+) /.exec(line) ?? [];
      if (declared !== undefined) this.declared.add(declared);
      const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
      if (name === undefined) continue;
      const known = this.series.get(name) ?? new Map<string, Set<string>>();
      this.series.set(name, known);
      for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
        known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
}
