// Bundles each contender into ../dist and prints, as JSON, how many bytes the libraries alone take when minified.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const shared = { absWorkingDir: here, bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "warning" };

const LIBRARIES = {
  cytoscape: `export { default } from "cytoscape"`,
  sigma3: `export { default } from "sigma3"; export { default as Graph } from "graphology"`,
  sigma4: `export { default } from "sigma4"; export { default as Graph } from "graphology"`,
};

await esbuild.build({ ...shared, entryPoints: Object.keys(LIBRARIES).map((name) => `${name}.js`), outdir: join(here, "..", "dist") });

const sizes = {};
for (const [name, contents] of Object.entries(LIBRARIES)) {
  const { outputFiles } = await esbuild.build({ ...shared, stdin: { contents, resolveDir: here }, write: false });
  const { contents: bytes } = outputFiles[0];
  sizes[name] = { bytes: bytes.length, gzip: gzipSync(bytes).length };
}
console.log(JSON.stringify(sizes));
