// SPDX-License-Identifier: GPL-3.0-or-later
// node page.mjs ROOT: what the student's page says and draws, without a browser. tst_serve starts it; it says what is
// wrong and fails.
import assert from "node:assert/strict";
import {readFile} from "node:fs/promises";
import {openPage} from "./fake_page.mjs";

const root = process.argv[2];
const read = (path) => readFile(`${root}/${path}`, "utf8");
const {texts, languageOf, fill, sentenceOf} = await import(`${root}/resources/class/page/texts.mjs`);
const {valueColour, roundedScale, networkOf, gradientGrid, digitOf, Curve} =
  await import(`${root}/resources/class/page/pictures.mjs`);
const {Learner} = await import(`${root}/resources/class/page/learner.mjs`);
const {ClassWorker, parseLink, reasons, toBfloat16, fromBfloat16} = await import(`${root}/core/wasm/class_worker.mjs`);
const {loadReplicas, Refusal} = await import(`${root}/core/wasm/replica.mjs`);
const html = await read("resources/class/page/index.html"), css = await read("resources/class/page/style.css");
const script = await read("resources/class/page/page.mjs") + await read("resources/class/page/learner.mjs");

// What a server sends (core/protocol/frames.h): a kind and its values, which are typed arrays; then whole conversations.
const frame = (kind, ...parts) => Uint8Array.from(
  Buffer.concat([Uint8Array.of(kind), ...parts.map(({buffer}) => new Uint8Array(buffer))])).buffer;
const [u8, u16, u32, u64, f32] = [Uint8Array, Uint16Array, Uint32Array, BigUint64Array, Float32Array]
  .map((type) => (...values) => type.of(...values));
const words = (text) => u8(text.length & 255, text.length >> 8, ...Buffer.from(text));
const welcomeOf = (network, weights, most) =>
  frame(5, u16(0), words("Otter 1"), words("mirrored"), words(network), u64(1n), u64(100n), u32(most), u8(0),
    u32(weights, 0), u8(0));
// Pictures 0 to count - 1 of so many bytes, a closure of them, and its variables.
function* closureOf(count, size, weights) {
  const examples = u32(...Array(count).keys());
  yield frame(6, u32(size), u16(count), examples, u8(...Array(count).keys()), new Uint8Array(count * size).fill(7));
  yield frame(7, u64(1n, 0n, 0n), f32(1 / count), u16(count), examples);
  yield frame(8, u64(1n, 0n), u32(weights));
  for (let at = 0; at < weights; at += 15360) {
    const values = new Float32Array(Math.min(15360, weights - at)).fill(0.001);
    yield frame(15, u32(at), u16(values.length), values);
  }
}
const cifar = "input 32 32 3\nconv2d a units=32 height=3 relu=1\nmax_pool2d p height=2\n" +
  "conv2d b units=64 height=3 relu=1\nmax_pool2d q height=2\nconv2d c units=64 height=3 relu=1\n" +
  "flatten f\ndense d units=64 relu=1\ndense e units=10\n";
const welcomed =
  {what: "welcome", name: "Otter 1", strategy: "mirrored", steps: 100, input: [28, 28, 1], digits: true};
const stepped = {
  what: "step", answer: {update: 8, staleness: 0}, points: [[8, 0.5]], counts: {applied: 8, refused: 0},
  rate: 2000, classPaused: null, progress: {updates: 8, workers: 3, loss: 0.4},
  batch: {count: 1, correct: 1, loss: 0.5, version: 812, pixels: new Uint8Array(784), labels: u8(3), predictions: u8(3),
          losses: f32(0.5), gradients: [gradientGrid(f32(1, 2), {layer: "", rows: 1, units: 2, at: 0})]},
};
const address = "http://192.168.1.2:8080/", token = "00112233445566778899aabbccddeeff";
// What a Learner works with, but for its ClassWorker, where no class is.
const noClass = {
  WebSocket: class extends EventTarget { close() {} }, parseLink, loadReplicas: async () => ({}),
  module: async () => null,
};
const moduleBytes = () => readFile(`${root}/resources/class/replica.wasm`);

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
  // Its convolutions take room in their first pass, and with it all views of the module's memory are gone.
  async aNetworkThatTakesMoreMemoryInItsFirstPassIsShown() {
    const {Replica} = await loadReplicas(await moduleBytes());
    const weights = new Replica(cifar).view("weights").length, socket = {send() {}, close() {}};
    let computed = null;
    const worker = new ClassWorker(socket, Replica, u8(), "", (what, it) => {
      if (what !== "computed") return;
      computed = {pixels: it.pixels.slice(), labels: it.labels.slice(), losses: it.losses.slice()};
    });
    worker.result.catch(() => {});
    socket.onmessage({data: welcomeOf(cifar, weights, 4)});
    for (const data of closureOf(4, 3072, weights)) socket.onmessage({data});
    assert.deepEqual([computed.pixels.length, computed.pixels[0], ...computed.labels], [4 * 3072, 7, 0, 1, 2, 3]);
    assert.equal(computed.losses.length, 4);
    assert.equal(worker.ask(new Uint8Array(3072)).probabilities.length, 10);
  },
  async withoutWebAssemblyThePageSaysSo() {
    const {WebAssembly} = globalThis, posted = [];
    const module = () => globalThis.WebAssembly.compile();
    const learner = new Learner({parseLink, module}, ({what}) => posted.push(what));
    delete globalThis.WebAssembly;
    try {
      await learner.take({what: "join", link: `${address}#${token}`});
    } finally {
      globalThis.WebAssembly = WebAssembly;
    }
    assert.deepEqual(posted, ["old"]);
  },
  async aBrowserThatKeepsNothingJoinsToo() {
    const page = await openPage(root, {url: `${address}#${token}`, storage: null});
    assert.deepEqual(page.posted.find(({what}) => what === "join"), {what: "join", link: `${address}#${token}`});
    assert.equal(page.location.hash, `#${token}`);  // so that the page may be loaded again
    page.close();
    const other = await openPage(root, {url: `${address}#${token}`});
    assert.deepEqual([other.location.hash, Object.values(other.storage)], ["", [token]]);
    other.close();
  },
  async whoJoinsAnewSeesNothingOfTheFormerLife() {
    const page = await openPage(root, {url: `${address}#${token}`});
    page.byId.board.ink = 255;
    const asks = () => page.posted.filter(({what}) => what === "ask").length;
    page.tell(welcomed);
    page.tell(stepped);
    assert.deepEqual([page.text("pulled"), page.text("loss"), page.byId.digits.children.length], ["812", "0.500", 1]);
    page.tell({...welcomed, name: "Heron 2"});
    const figures = ["pulled", "stale", "answer", "counts", "rate", "loss", "class-loss"].map((id) => page.text(id));
    assert.deepEqual(figures, Array(7).fill("–"));
    assert.deepEqual(["digits", "gradient"].map((id) => page.byId[id].children.length), [0, 0]);
    const asked = asks();
    page.tell({...welcomed, input: [32, 32, 3]});
    page.byId.german.onclick();  // draws all anew, but not the old pictures, and asks nothing of another network
    assert.deepEqual([page.byId.digits.children.length, asks(), page.byId.asking.hidden], [0, asked, true]);
    page.close();
  },
  async aBoundIsInOneLine() {
    const page = await openPage(root, {url: `${address}#${token}`});
    page.tell(welcomed);
    page.tell({...stepped, batch: {...stepped.batch, losses: f32(1e-6)}});
    assert.ok(page.byId.digits.children[0].children[1].innerText.endsWith("\n>\u00a099.9%"));
    page.close();
  },
  async aSmallLossIsNotZero() {
    const page = await openPage(root, {url: `${address}#${token}`});
    page.tell(welcomed);
    page.tell({...stepped, points: [[7, 0.00054], [8, 0.5]], progress: {...stepped.progress, loss: 0.00025},
               batch: {...stepped.batch, loss: 0.0098}});
    assert.deepEqual([page.text("loss"), page.text("class-loss")], ["0.0098", "0.00025"]);
    assert.match(page.text("curve-text"), /between 0\.00025 and 0\.500\./);
    page.close();
  },
  async aDrawingOfAnotherSizeHasNoAnswer() {
    const posted = [];
    const learner = new Learner({
      ...noClass,
      ClassWorker: class { result = new Promise(() => {}); ask() { throw new Error("it is of another size"); } },
    }, (message) => posted.push(message));
    const {setInterval} = globalThis;
    globalThis.setInterval = () => 0;
    learner.take({what: "join", link: `${address}#${token}`});
    await new Promise((resolve) => { setImmediate(resolve); });
    globalThis.setInterval = setInterval;
    learner.take({what: "ask", id: 4, picture: new Uint8Array(784)});
    assert.deepEqual(posted, [{what: "asked", id: 4, probabilities: null}]);
  },
  async whatDoesNotFitIsNotCalledAnUnreachableClass() {
    const socket = {send() {}, close() { this.isClosed = true; }};
    class Replica { reserve() { throw new Refusal("the browser gives this page no more memory"); } }
    const worker = new ClassWorker(socket, Replica, u8(), "", () => {});
    socket.onmessage({data: welcomeOf(cifar, 1, 4)});
    assert.deepEqual(await worker.result.catch((error) => error.message), {reason: "cannot-compute"});
    assert.ok(socket.isClosed);
    const posted = [];
    const loadReplicas = async () => { throw new RangeError(); };
    const learner = new Learner({...noClass, loadReplicas}, (message) => posted.push(message));
    await learner.take({what: "join", link: `${address}#${token}`});
    assert.deepEqual(posted, [{what: "away", reason: "cannot-compute"}]);
    const page = await openPage(root, {url: `${address}#${token}`});
    page.tell(posted[0]);
    assert.equal(page.text("state"), texts.en["cannot-compute"]);
    assert.deepEqual([page.byId.again.hidden, page.timers.size], [false, 0]);
    page.close();
  },
  async onlyAGradientThatCountsShortensTheWaitForTheNextTry() {
    const page = await openPage(root, {url: `${address}#${token}`}), waits = [];
    for (const messages of [[welcomed], [welcomed], [welcomed, stepped]]) {
      for (const message of [...messages, {what: "broken"}]) page.tell(message);
      waits.push([...page.timers.values()].at(-1).ms);
    }
    assert.deepEqual(waits, [1000, 2000, 1000]);
    page.close();
  },
  async whileNothingIsComputedNothingSaysSo() {
    const page = await openPage(root, {url: `${address}#${token}`});
    const says = () => [page.text("state"), page.text("rate")];
    const sentence = (name) => fill(texts.en[name], {name: "Otter 1", seconds: 1});
    const pace = "2,000 images a second";
    page.tell(welcomed);
    assert.deepEqual(says(), [sentence("stateWaiting"), "–"]);
    page.tell(stepped);
    assert.deepEqual(says(), [sentence("stateTraining"), pace]);
    page.tell({...stepped, batch: null, classPaused: true});
    assert.deepEqual(says(), [sentence("stateClassPaused"), "–"]);
    page.tell({...stepped, classPaused: false});
    page.byId.pause.onclick();
    assert.deepEqual(says(), [sentence("statePaused"), "–"]);
    page.byId.pause.onclick();
    assert.deepEqual(says(), [sentence("stateTraining"), pace]);
    page.tell({what: "broken"});
    assert.deepEqual(says(), [sentence("stateBroken"), "–"]);
    page.close();
  },
  // The clock and the timers are the test's.
  async thePaceIsNotThatOfAPause() {
    const {setTimeout, setInterval, performance} = globalThis, rates = [];
    let now = 10_000, due = null, tell = null;
    Object.defineProperty(globalThis, "performance", {value: {now: () => now}, configurable: true, writable: true});
    globalThis.setInterval = () => 0;
    globalThis.setTimeout = (run) => { due = run; return 1; };
    const learner = new Learner({
      ClassWorker: class { result = new Promise(() => {}); constructor(...of) { tell = of[4]; } asleep() {} },
      ...noClass,
    }, ({what, rate}) => { if (what === "step") rates.push(rate); });
    learner.take({what: "join", link: `${address}#${token}`});
    await new Promise((resolve) => { setImmediate(resolve); });
    tell("welcome", {name: "Otter 1", strategy: "", steps: 1n, network: "input 2\ndense d units=2\n", weights: 6});
    const work = (ms) => {
      now += ms;
      tell("computed", {closure: 1n, count: 300, correct: 1, loss: 1, version: 1n, pixels: u8(), labels: u8(),
                        predictions: u8(), losses: f32(), gradients: f32(0, 0, 0, 0, 0, 0)});
      due();
    };
    work(0);
    work(3000);
    learner.take({what: "asleep", asleep: true});
    now += 600_000;
    learner.take({what: "asleep", asleep: false});
    work(0);
    tell("pause", {paused: true});
    now += 600_000;
    tell("pause", {paused: false});
    work(0);
    work(3000);
    Object.assign(globalThis, {setTimeout, setInterval, performance});
    assert.deepEqual(rates, [0, 100, 0, 0, 100]);
  },
  async thePageKnowsWhetherItIsEncrypted() {
    for (const [url, key] of [[address, "privacy"], [address.replace("http", "https"), "privacyEncrypted"]]) {
      const page = await openPage(root, {url: `${url}#${token}`});
      assert.ok(page.marked.some(({textContent}) => textContent === texts.en[key]), key);
      page.close();
    }
  },
  async whileATryIsUnderWayNoOtherIsPromised() {
    const page = await openPage(root, {url: `${address}#${token}`});
    page.tell({what: "broken"});
    assert.equal(page.text("state"), fill(texts.en.stateBroken, {seconds: 1}));
    [...page.timers.values()].at(-1).run();
    assert.equal(page.text("state"), texts.en.stateTrying);
    page.tell({what: "broken"});
    assert.equal(page.text("state"), fill(texts.en.stateBroken, {seconds: 2}));
    page.close();
    const itsWorker = await read("resources/class/page/worker.mjs");
    assert.match(itsWorker, /fetch\("\/replica.wasm", \{signal: AbortSignal.timeout\(/);
  },
  async aLinkThatIsCutOffDoesNotEndTheLesson() {
    const page = await openPage(root, {url: `${address}#${token}`});
    page.tell(welcomed);
    const before = page.posted.length;
    page.goTo(`#${token.slice(5)}`);
    assert.deepEqual([page.posted.length, Object.values(page.storage)], [before, [token]]);
    page.goTo(`#${token.replace("0", "f")}`);
    assert.equal(page.posted.find(({link}, i) => i >= before && link).link, `${address}#${token.replace("0", "f")}`);
    page.close();
  },
  // A timer of the life before would show a step before the next welcome.
  async whatEndsLeavesNoTimer() {
    const {setTimeout, clearTimeout, setInterval} = globalThis, due = new Map(), posted = [];
    let tell = null, end = null;
    globalThis.setInterval = () => 0;
    globalThis.setTimeout = (run) => due.set(due.size + 1, run).size;
    globalThis.clearTimeout = (timer) => due.delete(timer);
    const learner = new Learner({
      ...noClass,
      ClassWorker: class {
        result = new Promise((resolve) => { end = resolve; });
        constructor(...of) { tell = of[4]; }
      },
    }, ({what}) => posted.push(what));
    learner.take({what: "join", link: `${address}#${token}`});
    const settled = () => new Promise((resolve) => { setImmediate(resolve); });
    await settled();
    tell("progress", {updates: 1n, workers: 1, loss: 1});
    end({over: true});
    await settled();
    const left = due.size;
    Object.assign(globalThis, {setTimeout, clearTimeout, setInterval});
    assert.deepEqual([posted, left], [["step", "ended"], 0]);
  },
  async theBoardSaysThatItsPenIsLiftedWhenItIsLeft() {
    const page = await openPage(root, {url: `${address}#${token}`}), {board} = page.byId;
    const space = () => board.onkeydown({key: " ", preventDefault() {}});
    space();
    assert.equal(page.text("pen-state"), texts.en.penDown);
    board.onblur();
    assert.equal(page.text("pen-state"), texts.en.penUp);
    space();
    assert.equal(page.text("pen-state"), texts.en.penDown);
    page.close();
  },
  async onlyOneFingerAndTheLeftButtonDraw() {
    const page = await openPage(root, {url: `${address}#${token}`}), {board} = page.byId;
    const asks = () => page.posted.filter(({what}) => what === "ask").length;
    page.tell(welcomed);
    board.ink = 255;
    const event = (more) => ({pointerId: 1, isPrimary: true, button: 0, clientX: 9, clientY: 9, ...more});
    const second = {pointerId: 2, isPrimary: false};
    const steps = [
      ["onpointerdown", {button: 2}, 0], ["onpointerup", {button: 2}, 0], ["onpointerdown", {}, 0],
      ["onpointerdown", second, 0], ["onpointermove", second, 0], ["onpointerup", second, 0],
      ["onpointermove", {}, 0], ["onpointerup", {}, 1]];
    for (const [name, more, asked] of steps) {
      board[name](event(more));
      assert.equal(asks(), asked, `${name} ${JSON.stringify(more)}`);
    }
    page.close();
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
