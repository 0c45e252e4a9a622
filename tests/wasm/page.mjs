// SPDX-License-Identifier: GPL-3.0-or-later
// node page.mjs ROOT: what the student's page says and draws, without a browser. tst_serve starts it; it says what is
// wrong and fails.
import assert from "node:assert/strict";
import {readFile} from "node:fs/promises";

const root = process.argv[2];
const read = (path) => readFile(`${root}/${path}`, "utf8");
const {texts, languageOf, fill, sentenceOf} = await import(`${root}/resources/class/page/texts.mjs`);
const {valueColour, roundedScale, networkOf, gradientGrid, digitOf, Curve} =
  await import(`${root}/resources/class/page/pictures.mjs`);
const {Learner} = await import(`${root}/resources/class/page/learner.mjs`);
const {reasons, toBfloat16, fromBfloat16} = await import(`${root}/core/wasm/class_worker.mjs`);
const {loadReplicas} = await import(`${root}/core/wasm/replica.mjs`);
const html = await read("resources/class/page/index.html"), css = await read("resources/class/page/style.css");
const script = await read("resources/class/page/page.mjs");

const tests = {
  halvesAreRoundedToNearestAndTiesToEven() {
    const tie = 2 ** -8, values = new Float32Array([1, 1 + tie, 1 + 3 * tie, 1 + tie * 1.01, -0, -1 - tie, 3.4e38, Infinity, NaN, 2 ** -149]);
    const upper = toBfloat16(values);
    const expected = [1, 1, 1 + 4 * tie, 1 + 2 * tie, -0, -1, Infinity, Infinity, NaN, 0];
    assert.deepEqual([...values], expected);
    assert.deepEqual([...fromBfloat16(upper)], expected);
  },
  bothLanguagesSayAll() {
    const names = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    assert.deepEqual(Object.keys(texts.de), Object.keys(texts.en));
    for (const [key, text] of Object.entries(texts.en)) {
      assert.ok(text && texts.de[key], key);
      assert.deepEqual(names(texts.de[key]), names(text), key);
      assert.ok(reasons.includes(key) || key === "unknown" || script.includes(`"${key}"`) || html.includes(`data-text="${key}"`),
        `${key} is not used`);
    }
    for (const [, key] of script.matchAll(/say\("(\w+)"/g)) assert.ok(key in texts.en, key);
    for (const reason of reasons) assert.ok(reason in texts.en, reason);
    assert.equal(sentenceOf("de", "constructor-of-nothing"), texts.de.unknown);
  },
  aFullClassIsTriedAgain() {
    const [, again] = script.match(/^function triesAgain\(\) \{\n([^]*?)^\}/m);
    const triesAgain = new Function("state", "reason", again);
    assert.ok(triesAgain("away", "class-full") && triesAgain("broken", ""));
    assert.ok(!triesAgain("away", "removed") && !triesAgain("in", "class-full"));
    assert.match(script, /^  if \(triesAgain\(\)\) \{$/m);
    for (const text of [texts.en, texts.de]) assert.match(text["class-full"], /\{seconds\}/);
  },
  onlyAClassOfDigitsIsAskedForOne() {
    const [, hides] = script.match(/^ *at\("asking"\)\.hidden = (.*);$/m);
    const isHidden = (digits, input) => new Function("message", `return ${hides}`)({digits, input});
    assert.ok(!isHidden(true, [28, 28, 1]) && isHidden(false, [28, 28, 1]) && isHidden(true, [32, 32, 3]));
  },
  thePageIsInEnglishUntilItsScriptRuns() {
    const marked = [...html.matchAll(/data-text="(\w+)"[^>]*>([^<]*)</g)];
    assert.ok(marked.length > 25);
    for (const [, key, text] of marked) assert.equal(text, texts.en[key], key);
  },
  thePageHasNothingInline() {
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:/i);
    for (const [, rest] of html.matchAll(/<script([^>]*)>/g)) assert.match(rest, /src="\//);
    assert.doesNotMatch(html + css + script, /https?:\/\/(?!\$\{location)/);  // nothing of elsewhere
  },
  thePageCanBeRead() {
    for (const [, id] of html.matchAll(/aria-(?:labelledby|describedby|controls)="([^"]*)"/g))
      for (const each of id.split(" ")) assert.ok(html.includes(`id="${each}"`), each);
    for (const [, id] of script.matchAll(/at\("([\w-]+)"\)/g)) assert.ok(html.includes(`id="${id}"`), id);
    for (const landmark of ["header", "main", "footer"]) assert.ok(html.includes(`<${landmark}>`), landmark);
    assert.match(css, /:focus-visible/);
  },
  theVerdictIsThatOfTheBars() {
    // What is seen follows each answer; only what is read aloud waits until there is something new.
    assert.match(html, /<p id="verdict"><\/p>/);
    assert.match(html, /<p id="verdict-said" class="unseen" role="status" aria-live="polite"><\/p>/);
    assert.match(script, /^  put\("verdict", verdict\);/m);
    assert.match(script, /^  if \(words !== verdictOf\) put\("verdict-said", verdict\);/m);
  },
  theLanguageIsThePersons() {
    assert.equal(languageOf(["fr-CA", "de-AT", "en"]), "de");
    assert.equal(languageOf(["EN-us"]), "en");
    assert.equal(languageOf(["fr"]), "en");
    assert.equal(languageOf(undefined), "en");
    assert.equal(fill("{a} of {b}", {a: 1}), "1 of {b}");
  },
  async coloursAreTheWindows() {
    const theme = await read("ui/theme/theme_tables.cpp");
    const [light, dark] = css.split("@media (prefers-color-scheme: dark)");
    const names = {window: "window", panel: "panel", ink: "ink", quiet: "quietInk", line: "line", edge: "edge", accent: "accent",
                   "on-accent": "onAccent", second: "second", positive: "positive", negative: "negative",
                   "warning-ink": "warningInk", "warning-ground": "warningGround"};
    for (const [sheet, table] of [[light, "kLight"], [dark, "kDark"]]) {
      const colours = {};
      const members = theme.slice(theme.indexOf(`Colours ${table}{`));
      for (const [name, member] of Object.entries(names)) {
        const is = new RegExp(`--${name}: #([0-9a-f]+);`).exec(sheet)[1];
        colours[name] = is.length === 3 ? [...is].map((digit) => digit + digit).join("") : is;
        assert.equal(colours[name].toUpperCase(), new RegExp(`\\.${member} = rgb\\(0x(\\w+)\\)`).exec(members)[1], `${table} ${name}`);
      }
      const bright = (colour) => [0, 2, 4].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
      const contrast = (one, other) => {
        const [less, more] = [bright(colours[one]), bright(colours[other])].sort((a, b) => a - b);
        return (more + 0.05) / (less + 0.05);
      };
      for (const [one, other, least] of [
        ["ink", "panel", 4.5], ["ink", "window", 4.5], ["quiet", "panel", 4.5], ["quiet", "window", 4.5], ["accent", "panel", 4.5],
        ["accent", "window", 4.5], ["on-accent", "accent", 4.5], ["warning-ink", "warning-ground", 4.5], ["edge", "panel", 3],
        ["second", "panel", 3], ["positive", "panel", 3], ["negative", "panel", 3]])
        assert.ok(contrast(one, other) >= least, `${table}: ${one} on ${other}, ${contrast(one, other)}`);
    }
  },
  valuesHaveColours() {
    const ends = {positive: "#567f00", negative: "#951ba0", paper: "#ffffff"};
    assert.deepEqual(valueColour(0, 1, ends), [255, 255, 255]);
    assert.deepEqual(valueColour(3, 1, ends), [0x56, 0x7f, 0]);
    assert.deepEqual(valueColour(-1, 1, ends), [0x95, 0x1b, 0xa0]);
    assert.deepEqual(valueColour(1 / 8, 1, ends), [171, 191, 128]);  // its root is a half
    assert.deepEqual(valueColour(1, 0, ends), [255, 255, 255]);
    assert.deepEqual([0.011, 0.02, 0.3, 7, 0, NaN, Infinity].map(roundedScale), [0.02, 0.02, 0.5, 10, 0, 0, 0]);
  },
  // Kernels begin at random, biases at zero, gamma at one: so the module itself says where they lie.
  async kernelsLieWhereTheModuleHasThem() {
    const {Replica} = await loadReplicas(await readFile(`${root}/resources/class/replica.wasm`));
    const course = "input 28 28 1\nconv2d conv2d units=32 height=3 relu=1\nmax_pool2d max_pooling2d height=2\n" +
      "flatten flatten\ndense dense units=64 relu=1\ndense dense_1 units=10\n";
    const other = "input 8 6 3\nconv2d a units=4 height=3 width=2 stride_y=2 same=1 bias=0\nbatch_norm n centered=0\n" +
      "activation r relu=1\naverage_pool2d p height=2\nflatten f\ndropout d rate=3fe0000000000000\ndense z units=5\n";
    for (const [text, sizes] of [[course, [288, 346112, 640]], [other, [72, 120]]]) {
      const replica = new Replica(text);
      replica.initialize(7);
      const weights = replica.view("weights"), {input, kernels} = networkOf(text, weights.length);
      assert.deepEqual(input, text === course ? [28, 28, 1] : [8, 6, 3]);
      assert.deepEqual(kernels.map(({rows, units}) => rows * units), sizes);
      const rest = new Set(weights.keys());
      for (const {at, rows, units} of kernels)
        for (let i = 0; i < rows * units; ++i) {
          assert.ok(weights[at + i] !== 0 && weights[at + i] !== 1, `${at + i} is no kernel`);
          rest.delete(at + i);
        }
      for (const i of rest) assert.ok(weights[i] === 0 || weights[i] === 1, `${i} is a kernel`);
    }
    assert.deepEqual(networkOf(course, 12).kernels, [{layer: "", rows: 1, units: 12, at: 0}]);
  },
  aGradientIsAPicture() {
    const gradients = new Float32Array(1000).fill(0.001);
    gradients[100 + 3 * 32 + 5] = -0.3;
    const grid = gradientGrid(gradients, {layer: "c", rows: 9, units: 32, at: 100});
    assert.deepEqual([grid.columns, grid.lines, grid.scale, grid.transposed], [32, 9, 0.5, false]);
    assert.equal(grid.values[3 * 32 + 5], Math.fround(-0.3));
    const long = new Float32Array(5408 * 64);
    long[5407 * 64 + 63] = 2;
    const large = gradientGrid(long, {layer: "d", rows: 5408, units: 64, at: 0});
    assert.deepEqual([large.columns, large.lines, large.values.at(-1), large.scale], [64, 32, 2, 2]);
    const narrow = gradientGrid(long.subarray(5408 * 64 - 640), {layer: "e", rows: 64, units: 10, at: 0});
    assert.deepEqual([narrow.columns, narrow.lines, narrow.transposed, narrow.values.at(-1)], [64, 10, true, 2]);
    const whole = gradientGrid(long, {layer: "", rows: 1, units: long.length, at: 0});
    assert.equal(whole.values.at(-1), 2);
    assert.equal(gradientGrid(new Float32Array(20), {layer: "", rows: 1, units: 20, at: 0}).scale, 0);
  },
  aDrawnDigitIsLikeTheOthers() {
    const side = 280, ink = new Uint8Array(side * side);
    assert.equal(digitOf(ink, side), null);
    for (let y = 10; y < 110; ++y) ink.fill(255, y * side + 200, y * side + 220);  // a one, in a corner
    const digit = digitOf(ink, side), rows = [], columns = [];
    for (let i = 0; i < digit.length; ++i)
      if (digit[i] > 0) {
        rows.push(Math.floor(i / 28));
        columns.push(i % 28);
      }
    assert.equal(digit.length, 784);
    assert.deepEqual([Math.min(...rows), Math.max(...rows)], [5, 24]);
    assert.ok(Math.abs(columns.reduce((sum, x) => sum + x, 0) / columns.length - 14) <= 0.5);
    assert.equal(Math.max(...digit), 255);
    ink.fill(0);
    ink[5] = 255;  // a single point
    assert.ok(digitOf(ink, side).some((value) => value > 0));
  },
  // As when its lid is closed: the connection stays, and nothing comes any more.
  async aServerThatFallsSilentIsLeft() {
    const {setInterval, clearInterval} = globalThis, ticks = new Map();
    globalThis.setInterval = (tick) => { ticks.set(ticks.size, tick); return ticks.size - 1; };
    globalThis.clearInterval = (timer) => ticks.delete(timer);
    const tick = (times) => { for (let i = 0; i < times; ++i) for (const each of ticks.values()) each(); };
    const settled = () => new Promise((resolve) => { setImmediate(resolve); });
    class Socket extends EventTarget { close() { this.isClosed = true; } }
    let socket = null, tell = null;
    const posted = [];
    const learner = new Learner({
      ClassWorker: class { result = new Promise(() => {}); constructor(itsSocket, _, __, ___, itsTell) { [socket, tell] = [itsSocket, itsTell]; } },
      WebSocket: Socket, parseLink: () => ({}), loadReplicas: async () => ({}), module: async () => null,
    }, (message) => posted.push(message.what));
    learner.take({what: "join", link: ""});
    await settled();
    tell("welcome", {name: "Otter 1", strategy: "", steps: 1n, network: "input 2\ndense d units=2\n", weights: 6});
    for (let i = 0; i < 5; ++i) {
      tick(3);
      socket.dispatchEvent(new Event("message"));
    }
    await settled();
    assert.deepEqual(posted, ["welcome"]);
    tick(4);
    await settled();
    assert.deepEqual(posted, ["welcome", "broken"]);
    assert.ok(socket.isClosed && ticks.size === 0);
    tell("welcome", {});  // too late
    assert.equal(posted.length, 2);
    Object.assign(globalThis, {setInterval, clearInterval});
  },
  aCurveStaysShort() {
    const curve = new Curve(100);
    for (let i = 0; i < 10_000; ++i) curve.add(i, i);
    assert.ok(curve.points.length < 100 && curve.points.length >= 50);
    assert.deepEqual(curve.points[0], [0, 0]);
    assert.ok(curve.points.at(-1)[0] > 9_000);
    for (let i = 1; i < curve.points.length; ++i) assert.ok(curve.points[i][0] > curve.points[i - 1][0]);
  },
};

for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}
