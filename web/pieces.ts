// The men come from chessground as data: addresses inside its style sheet. The pages' security policy allows files of our
// own server only, so each becomes one. Drawn by Colin M.L. Burnett, GPLv2+.

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";

const MAN = /piece\.(\w+)\.(\w+) \{\s*background-image: url\('data:image\/svg\+xml;base64,([^']+)'\)/g;
const MEN = 12;

export function piecesAsFiles(): Plugin {
  const folder = resolve(import.meta.dirname, "node_modules/.pieces");
  return {
    name: "pieces-as-files",
    enforce: "pre",
    transform(css, id) {
      if (!id.endsWith("chessground.cburnett.css")) return null;
      mkdirSync(folder, { recursive: true });
      let found = 0;
      const code = css.replace(MAN, (_all, role: string, side: string, base64: string) => {
        found += 1;
        const svg = Buffer.from(base64, "base64");
        const file = resolve(folder, `${side}-${role}-${createHash("sha256").update(svg).digest("hex").slice(0, 8)}.svg`);
        writeFileSync(file, svg);
        return `piece.${role}.${side} {\n  background-image: url('${file}')`;
      });
      if (found !== MEN) this.error(`found ${found} of ${MEN} men in ${id}: chessground writes its style sheet another way`);
      return { code, map: null };
    },
  };
}
