// layers.mjs as ARCHITECTURE.md shows it, between two marks.
import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = 'ARCHITECTURE.md';
const BEGIN = '<!-- `npm run layers` writes this from layers.mjs -->\n';
const END = '<!-- end of layers.mjs -->';

export function readPicture() {
  return parts().picture;
}

export function writePicture(layers) {
  const { before, after } = parts();
  writeFileSync(PAGE, `${before}${BEGIN}${render(layers)}${END}${after}`);
}

export function render(layers) {
  return Object.entries(layers)
    .map(([place, folders]) => {
      const names = Object.keys(folders).map((folder) => (folder.includes('*') ? folder : `${folder}/`));
      const width = Math.max(...names.map(({ length }) => length)) + 2;
      const lines = Object.values(folders).map((what, index) => `${names[index].padEnd(width)}${what}\n`);
      return `\n\`${place}\`\n\n\`\`\`text\n${lines.join('')}\`\`\`\n\n`;
    })
    .join('')
    .replaceAll('\n\n\n', '\n\n');
}

function parts() {
  const page = readFileSync(PAGE, 'utf8');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`${PAGE} has no place for the layers: ${BEGIN.trim()} … ${END}`);
  return {
    before: page.slice(0, begin),
    picture: page.slice(begin + BEGIN.length, end),
    after: page.slice(end + END.length),
  };
}
