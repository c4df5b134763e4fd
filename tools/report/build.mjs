// Makes src/petree/report/assets: the page's script with its libraries in one file, their licences, and a digest of the
// sources, by which a test sees whether the script is that of the sources.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const room = join(here, "../../src/petree/report");
const assets = join(room, "assets");

const made = await build({
  entryPoints: [join(room, "page/main.js")],
  outfile: join(assets, "bundle.js"),
  nodePaths: [join(here, "node_modules")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
});

const packages = new Set(Object.keys(made.metafile.inputs).map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean));
const licences = [...packages].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(join(assets, "LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));

const sources = readdirSync(join(room, "page"), { recursive: true }).filter((name) => name.endsWith(".js")).sort();
const digest = createHash("sha256");
for (const name of sources) digest.update(`${name.replaceAll("\\", "/")}\n${readFileSync(join(room, "page", name), "utf8").replaceAll("\r\n", "\n")}\n`);
writeFileSync(join(assets, "sources.sha256"), `${digest.digest("hex")}\n`);

const size = made.metafile.outputs[relative(process.cwd(), join(assets, "bundle.js"))].bytes;
console.log(`bundle.js: ${(size / 1000).toFixed(0)} kB with ${packages.size} packages`);
