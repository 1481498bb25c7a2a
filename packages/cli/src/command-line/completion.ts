import type { Table } from './command.ts';
import { optionsOf } from './program.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The possible words after some words of a command */
interface Place {
  /** `""`, `connectors` or `connectors add` */
  readonly after: string;
  readonly words: readonly { readonly word: string; readonly summary: string }[];
}

/** Returns a script that completes commands, options and fixed values, without running `legate`. */
export function completionScript(table: Table, shell: Shell): string {
  const places = placesOf(table);
  switch (shell) {
    case 'bash':
      return bash(places);
    case 'zsh':
      return zsh(places);
    case 'fish':
      return fish(places);
  }
}

function placesOf({ commands, groups }: Table): readonly Place[] {
  const top = [
    ...groups.map(({ name, summary }) => ({ word: name, summary })),
    ...commands
      .filter(({ name }) => !name.includes(' '))
      .map(({ name, summary }) => ({ word: name, summary })),
  ];
  const inGroups = groups.map(({ name }) => ({
    after: name,
    words: commands
      .filter((command) => command.name.startsWith(`${name} `))
      .map((command) => ({ word: command.name.slice(name.length + 1), summary: command.summary })),
  }));
  const inCommands = commands.map((command) => ({
    after: command.name,
    words: [
      ...commands
        .filter(({ name }) => name.startsWith(`${command.name} `))
        .map(({ name, summary }) => ({ word: name.slice(command.name.length + 1), summary })),
      ...command.arguments.flatMap(({ choices = [], summary }) => choices.map((word) => ({ word, summary }))),
      ...optionsOf(command).map(([name, { summary }]) => ({ word: `--${name}`, summary })),
      { word: '--help', summary: 'print help' },
    ],
  }));
  return [{ after: '', words: top }, ...inGroups, ...inCommands];
}

/** The words of a command must be typed before its first option. */
const bash = (places: readonly Place[]): string => `# legate completion bash: eval "$(legate completion bash)"
_legate() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${places
  .filter(({ after }) => after !== '')
  .map(({ after }) => `      '${after.includes(' ') ? after : ` ${after}`}') path='${after}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${places.map(({ after, words }) => `    '${after}') words='${words.map(({ word }) => word).join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _legate legate
`;

const zsh = (places: readonly Place[]): string => `#compdef legate
# legate completion zsh: eval "$(legate completion zsh)"
_legate() {
  local path='' word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path $word" in
${places
  .filter(({ after }) => after !== '')
  .map(({ after }) => `      ('${after.includes(' ') ? after : ` ${after}`}') path='${after}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${places
  .map(
    ({ after, words }) =>
      `    ('${after}') candidates=(${words.map(({ word, summary }) => quotedForZsh(`${word}:${summary}`)).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe 'legate' candidates || _files
}
compdef _legate legate
`;

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ after, words }) =>
    words.map(({ word, summary }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c legate -n ${quoted(`__legate_after ${quoted(after)}`)} ${what} -d ${quoted(summary)}`;
    }),
  );
  const known = places.filter(({ after }) => after !== '').map(({ after }) => quoted(after));
  return `# legate completion fish: legate completion fish | source
function __legate_after
    set -l path ''
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$path $word")
        if contains -- $longer ${known.join(' ')}
            set path $longer
        end
    end
    test "$path" = "$argv[1]"
end
complete -c legate -f
${lines.join('\n')}
`;
}

const quotedForZsh = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** Quotes a word for fish. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
