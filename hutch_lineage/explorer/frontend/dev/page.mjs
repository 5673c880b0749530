// Serves a page with a made-up run on http://127.0.0.1:8123 for work on the view; rebuild with `npm run watch` beside it.
// ?theme=dark&height=760&individuals=1859&generations=26&grow=40&select=best
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const roots = { "/static/": join(here, "..", "..", "static"), "/dev/": here };
const types = { js: "text/javascript", mjs: "text/javascript", css: "text/css" };

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>hutch_lineage explorer</title>
<link rel="stylesheet" href="/static/explorer.css"><style>body{margin:0}</style><div id="app"></div>
<script type="module">
import widget from "/static/explorer.js";
import { answering, fakeModel, graphMessage, growth, makeRun, status } from "/dev/synth.mjs";
const q = new URLSearchParams(location.search);
const number = (name, other) => Number(q.get(name) ?? other);
if (q.get("theme")) document.documentElement.style.background = q.get("theme") === "dark" ? "#111" : "#fff";
const data = makeRun({ generations: number("generations", 26), individuals: number("individuals", 1859), ghosts: number("ghosts", 12), cycles: q.has("cycles") });
const model = fakeModel({ height: number("height", 760), theme: q.get("theme") ?? "auto", status: status(q.has("memory") ? { mode: "memory", state: "memory" } : { running: q.has("running") }) }, answering(data));
const w = await widget();
w.initialize({ model });
w.render({ model, el: document.querySelector("#app") });
const messages = q.has("grow") ? growth(data, number("grow", 40)) : [graphMessage(data, { notes: ["12 parents were named but never seen"] })];
for (const { content, buffers } of messages) {
  model.push(content, buffers);
  if (q.has("grow")) await new Promise((done) => setTimeout(done, 150));
}
for (const name of ["hands", "panels"]) {
  const [js, css] = await Promise.all([name + ".js", name + ".css"].map(async (file) => (await fetch("/static/" + file)).text()));
  model.push({ op: "asset", name, js, css });
}
window.model = model;
window.data = data;
window.root = document.querySelector(".hl-explorer");
window.ready = true;
</script>`;

createServer(async (request, response) => {
  const path = normalize(new URL(request.url, "http://x").pathname);
  const root = Object.keys(roots).find((prefix) => path.startsWith(prefix));
  try {
    const body = root ? await readFile(join(roots[root], path.slice(root.length))) : page;
    response.writeHead(200, { "content-type": root ? types[path.split(".").pop()] : "text/html" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(Number(process.env.PORT ?? 8123), "127.0.0.1", () => console.log(`http://127.0.0.1:${process.env.PORT ?? 8123}`));
