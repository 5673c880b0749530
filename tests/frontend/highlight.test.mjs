import assert from "node:assert/strict";
import { test } from "node:test";
import { highlightLines, languageOf } from "../../hutch_lineage/explorer/static/panels.js";

const python = 'import numpy as np\n\n\ndef f(x: int = 3) -> str:\n    """One\n    two."""\n    return f"{x}"  # done\n';

test("lines of coloured pieces are the text again", () => {
  for (const language of ["python", "javascript", "typescript", "c", "cpp", "java", "rust", "julia", "json", "yaml", "markdown", "bash", "diff", "latex", "plain", "brainfuck", null]) {
    const lines = highlightLines(python, language);
    assert.equal(lines.map((line) => line.map(([, text]) => text).join("")).join("\n"), python, String(language));
  }
});

test("a string over two lines keeps its colour in both", () => {
  const lines = highlightLines(python, "python");
  assert.deepEqual([lines[4].at(-1)[0], lines[5].at(-1)[0]], ["s", "s"]);
  assert.deepEqual(lines[0].map(([kind]) => kind), ["k", "", "k", ""]);
});

test("the language is the one that is named, whatever it is called", () => {
  assert.deepEqual(["py", "Python", "text/x-python", "C++", "sh", "TeX", "ts"].map((name) => languageOf(name, "")), ["python", "python", "python", "cpp", "bash", "latex", "typescript"]);
});

test("a name that is not known stays plain; without one the text has to be clear", () => {
  assert.equal(languageOf("cobol", python), "");
  assert.equal(languageOf(null, python), "python");
  assert.equal(languageOf("code", '{"a": [1, 2]}'), "json");
  assert.equal(languageOf(null, "0.7192 0.3024\n0.7270 0.6476\n"), "");
  assert.equal(languageOf(null, "Improve the program. Return code for each item:\n"), "");
  assert.equal(languageOf(null, "#include <vector>\nint main() {\n  std::vector<int> v;\n}\n"), "cpp");
});

test("what a grammar might take long for stays plain", () => {
  for (const hostile of ["(".repeat(200_000), `${"a = 1\n".repeat(40_000)}`, `"${"\\".repeat(190_000)}`]) {
    const start = performance.now();
    assert.equal(highlightLines(hostile, "python").flat().every(([kind]) => kind === ""), true);
    assert.ok(performance.now() - start < 2000);
  }
});

test("the page's own Prism, if it has one, is not touched", () => {
  assert.equal(globalThis.Prism, undefined);
});
