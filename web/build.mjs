// `npm run build`: one script and one style sheet for the page, into the Python package or the folder named.
import { build } from "esbuild";

const target = process.argv[2] ?? "../src/hornbook/report/assets";
await build({
  entryPoints: { page: "src/main.ts" },
  outdir: target,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  charset: "ascii",
  legalComments: "inline",
  banner: { js: "/* hornbook's page; MIT license, see LICENSE. No third-party code. Source: web/src */" },
});
await build({
  entryPoints: { page: "src/page.css" },
  outdir: target,
  minify: true,
  charset: "ascii",
});
