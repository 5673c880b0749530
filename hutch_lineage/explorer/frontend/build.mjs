// Bundles src/ into static/: loader.js, which every widget brings; explorer.js and .css, the view; hands.js and .css, what a person
// works with, which follow the graph;
// panels.js and .css, which the view takes in when one of them is opened.
// `node build.mjs [--out DIR] [--watch]`; the output depends on the sources and the lock file alone.
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const argument = process.argv.indexOf("--out");
const out = argument > 0 ? resolve(process.argv[argument + 1]) : join(here, "..", "static");

// Prism's grammars add themselves to a global `Prism`: here to the tokenizer of src/vendor/prism.js, and to nothing of the page.
// Their hooks serve Prism's own rendering, which is not in use.
const grammars = {
  name: "grammars",
  setup: (build) =>
    build.onLoad({ filter: /prismjs.components.prism-\w+\.js$/ }, async ({ path }) => ({
      contents: `import { Prism } from ${JSON.stringify(join(here, "src", "vendor", "prism.js"))};\n${(await readFile(path, "utf8")).replace(/^(\t?)Prism\.hooks\.add\([\s\S]*?\n\1\}\);\n/gm, "")}`,
    })),
};

// d3-zoom listens to one element and writes nothing into the page. The other methods of a selection hang on the prototype, where
// they cannot be shaken off.
const selections = {
  name: "selections",
  setup: (build) =>
    build.onLoad({ filter: /d3-selection\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/^ {2}(?!(call|datum|each|filter|node|on|property|selection|style):)\w+: selection_\w+,\n/gm, ""),
    })),
};

const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};
const scripts = { ...shared, format: "esm", target: "es2022" };
const styles = { ...shared, target: ["chrome111", "firefox113", "safari16.2"] };
const builds = [
  {
    ...scripts,
    entryPoints: ["src/index.js"],
    outfile: join(out, "explorer.js"),
    banner: { js: "/*! hutch_lineage explorer, Apache-2.0 */" },
  },
  { ...scripts, entryPoints: ["src/loader.js"], outfile: join(out, "loader.js") },
  { ...styles, entryPoints: ["src/styles/index.css"], outfile: join(out, "explorer.css") },
  {
    ...scripts,
    entryPoints: ["src/hands/index.js"],
    // d3-zoom brings 29 KB for transitions, which are not in use: the camera flies by itself.
    alias: { "d3-transition": "./src/vendor/transition.js", "d3-interpolate": "./src/vendor/interpolate.js" },
    plugins: [selections],
    outfile: join(out, "hands.js"),
    banner: { js: "/*! hutch_lineage hands, Apache-2.0; holds d3-zoom, d3-drag, d3-selection and d3-dispatch, ISC, Mike Bostock */" },
  },
  { ...styles, entryPoints: ["src/styles/hands.css"], outfile: join(out, "hands.css") },
  {
    ...scripts,
    entryPoints: ["src/panels/index.js"],
    plugins: [grammars],
    outfile: join(out, "panels.js"),
    banner: { js: "/*! hutch_lineage panels, Apache-2.0; holds Prism, MIT, Lea Verou, and uPlot, MIT, Leon Sorokin */" },
  },
  { ...styles, entryPoints: ["src/styles/panels.css"], outfile: join(out, "panels.css") },
];

if (process.argv.includes("--watch")) {
  for (const options of builds) await (await esbuild.context({ ...options, logLevel: "info" })).watch();
} else {
  for (const options of builds) await esbuild.build(options);
}
