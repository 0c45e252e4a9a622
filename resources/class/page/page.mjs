// SPDX-License-Identifier: GPL-3.0-or-later
// The student's page: shows what the Worker posts, and sends it what the person wants.
import {board} from "./board.mjs";
import {Curve, valueColour} from "./pictures.mjs";
import {fill, languageOf, sentenceOf, texts} from "./texts.mjs";

const at = (id) => document.getElementById(id);
const fewDigits = 16, retrySeconds = [1, 2, 4, 8, 15], key = "strategylab-class";
const strategies = {"parameter-server": "ParameterServer", mirrored: "Mirrored"};

// A tab keeps the link, so that it may be loaded again; the address bar and its history do not, where a tab may.
const memory = {
  get: (name) => { try { return sessionStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* then not */ } },
  forget: (name) => { try { sessionStorage.removeItem(name); } catch { /* then not */ } },
};

let language = memory.get("language") ?? languageOf(navigator.languages);
let link = null, tries = 0, retryTimer = null;
let state = "connecting", reason = "", seconds = 0;  // connecting, in, broken, away, ended, noLink, old
let welcome = null, progress = null, batch = null, step = null;
let isPaused = false, isClassPaused = false, showsAll = false;
let mine = new Curve(400), ofClass = new Curve(400);
const worker = startWorker();

function startWorker() {
  const started = new Worker("/worker.mjs", {type: "module"});
  started.onmessage = ({data}) => take(data);
  started.onerror = () => become("old");
  return started;
}

const say = (name, values) => fill(texts[language][name], values);
const number = (value, options) => new Intl.NumberFormat(language, options).format(value);
// As the teacher's window has it: 0.000 would say of a small loss that none is left.
const loss = (value) => number(value, value > 0 && value < 0.01 ? {maximumSignificantDigits: 2}
  : {minimumFractionDigits: 3, maximumFractionDigits: 3});
// Only what is nothing reads 0 %, and only what is all reads 100 %: what rounds to them has a digit more, or a bound.
const share = (value) => {
  const percent = (of, digits) => number(of, {style: "percent", maximumFractionDigits: digits});
  const seemsAnEnd = (text) => (value > 0 && text === percent(0, 0)) || (value < 1 && text === percent(1, 0));
  const text = [0, 1].map((digits) => percent(value, digits)).find((each) => !seemsAnEnd(each));
  return text ?? (value < 0.5 ? `<\u00a0${percent(0.001, 1)}` : `>\u00a0${percent(0.999, 1)}`);
};
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Said only where it is new, for a screen reader says it each time.
function put(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

// ---- The class

// Whether the address has a whole link; one that is cut off leaves the link that there is.
function readLink() {
  const hash = location.hash.slice(1), isWhole = /^[0-9a-f]{32}$/.test(hash);
  if (isWhole) {
    memory.set(key, hash);
    if (memory.get(key) === hash) history.replaceState(null, "", "/");  // else only the address bar keeps it
  }
  const token = isWhole ? hash : memory.get(key);
  if (token !== null) link = `${location.origin}/#${token}`;
  return isWhole;
}

function join() {
  clearTimeout(retryTimer);
  retryTimer = null;
  if (link === null) return become("noLink");
  seconds = 0;
  if (tries === 0) become("connecting");  // else that it is not reached still holds
  worker.postMessage({what: "join", link});
  sleepOrWake();
}

function sleepOrWake() {
  worker.postMessage({what: "asleep", asleep: isPaused || document.hidden});
  showState();
}

// A place in a full class gets free: who left without a word holds it for a minute.
function triesAgain() {
  return state === "broken" || (state === "away" && reason === "class-full");
}

function become(next) {
  state = next;
  if (triesAgain()) {
    seconds = retrySeconds[Math.min(tries++, retrySeconds.length - 1)];
    clearTimeout(retryTimer);
    retryTimer = setTimeout(join, seconds * 1000);
  }
  showState();
}

function take(message) {
  switch (message.what) {
    case "welcome":
      welcome = message;
      progress = null;
      isClassPaused = false;
      mine = new Curve(400);
      ofClass = new Curve(400);
      at("asking").hidden = !message.digits || message.input.join() !== "28,28,1";
      forgetSteps();
      return become("in");
    case "step": return show(message);
    case "asked": return showBeliefs(message);
    case "away":
      reason = message.reason;
      if (reason === "silent") return become("broken");
      if (reason === "wrong-token") memory.forget(key);
      return become("away");
    case "ended": memory.forget(key); return become("ended");
    default: return become(message.what);  // broken, noLink, old
  }
}

// What was shown is of other weights, and maybe of another class.
function forgetSteps() {
  batch = step = null;
  for (const id of ["digits", "gradient"]) at(id).replaceChildren();
  for (const id of ["pulled", "stale", "answer", "counts", "loss", "class-loss"]) put(id, "–");
  put("digits-right", "");
  at("more").hidden = true;
  showCurve();
  drawn.ask();
}

function show(message) {
  step = message;
  if (message.batch) batch = message.batch;
  if (message.counts.applied > 0) tries = 0;  // who fails after each welcome tries less and less often
  if (message.classPaused !== null) isClassPaused = message.classPaused;
  for (const [update, value] of message.points) mine.add(update, value);
  if (message.progress) {
    progress = message.progress;
    if (Number.isFinite(progress.loss)) ofClass.add(progress.updates, progress.loss);  // else there was no update
  }
  showState();
  if (message.batch) {
    showDigits();
    showGradient();
    drawn.ask();
  }
  showServer();
  showCurve();
}

// ---- What is shown

function stateSentence() {
  const name = welcome?.name ?? "";
  switch (state) {
    case "noLink": return say("stateNoLink");
    case "old": return say("stateOld");
    case "connecting": return say("stateConnecting");
    case "broken": return seconds > 0 ? say("stateBroken", {seconds}) : say("stateTrying");
    case "ended": return say("stateEnded", {name});
    case "away":
      if (reason !== "class-full") return sentenceOf(language, reason);
      return seconds > 0 ? say("class-full", {seconds}) : say("stateTrying");
  }
  if (isPaused) return say("statePaused", {name});
  if (document.hidden) return say("stateAsleep", {name});
  if (isClassPaused) return say("stateClassPaused", {name});
  return say(batch ? "stateTraining" : "stateWaiting", {name});
}

function strategyName(name) {
  return name === "backup-workers" ? say("backupWorkers") : strategies[name] ?? name;
}

function showState() {
  put("state", stateSentence());
  const isIn = state === "in", computes = isIn && !isPaused && !document.hidden && !isClassPaused;
  const shown = {updates: number(progress?.updates ?? 0), workers: number(progress?.workers ?? 0),
                 steps: number(welcome?.steps ?? 0), strategy: strategyName(welcome?.strategy)};
  put("rate", computes && step?.rate > 0
    ? say("rateIs", {images: number(step.rate, {maximumSignificantDigits: 2})}) : "–");
  put("class-state", !isIn ? "" : say(progress ? "classIs" : "classJoined", shown));
  document.querySelector(".status").classList.toggle("warns", ["broken", "away", "noLink", "old"].includes(state));
  at("pause").disabled = !isIn;
  put("pause", say(isPaused ? "goOn" : "pause"));
  at("again").hidden = !(state === "broken" || (state === "away" && reason !== "wrong-token"));
}

function digitTile() {
  const item = document.createElement("li");
  for (const [name, hides] of [["canvas", "true"], ["div", "true"], ["span", null]]) {
    const part = item.appendChild(document.createElement(name));
    if (hides) part.setAttribute("aria-hidden", hides);
    else part.className = "unseen";
  }
  return item;
}

function showDigits() {
  const list = at("digits"), shown = showsAll ? batch.count : Math.min(batch.count, fewDigits);
  while (list.children.length < shown) list.append(digitTile());
  while (list.children.length > shown) list.lastChild.remove();
  const [height, width, channels = 1] = welcome.input.length === 3 ? welcome.input : [1, welcome.input[0]];
  for (let i = 0; i < shown; ++i) {
    const item = list.children[i], [canvas, words, sentence] = item.children;
    const label = batch.labels[i], said = batch.predictions[i], belief = share(Math.exp(-batch.losses[i]));
    const image = new ImageData(width, height);
    for (let p = 0; p < width * height; ++p)
      for (let c = 0; c < 4; ++c)
        image.data[4 * p + c] = c === 3 ? 255 : batch.pixels[(i * width * height + p) * channels + Math.min(c, channels - 1)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    canvas.getContext("2d").putImageData(image, 0, 0);
    item.className = said === label ? "" : "wrong";
    words.innerText = `${say("digit", {label, said})} ${said === label ? "✓" : "✗"}\n${belief}`;
    sentence.textContent = say(said === label ? "digitRight" : "digitWrong", {label, said, belief});
  }
  put("digits-right", say("digitsRight", {right: number(batch.correct), count: number(batch.count)}));
  at("more").hidden = batch.count <= fewDigits;
  at("more").setAttribute("aria-expanded", String(showsAll));
  put("more", showsAll ? say("fewer") : say("more", {count: number(batch.count)}));
}

function showGradient() {
  const holder = at("gradient"), ends = {positive: colour("positive"), negative: colour("negative"), paper: colour("panel")};
  while (holder.children.length < batch.gradients.length) {
    const figure = holder.appendChild(document.createElement("figure"));
    const canvas = figure.appendChild(document.createElement("canvas"));
    canvas.setAttribute("aria-hidden", "true");
    figure.append(document.createElement("figcaption"));
  }
  while (holder.children.length > batch.gradients.length) holder.lastChild.remove();
  batch.gradients.forEach((grid, i) => {
    const [canvas, caption] = holder.children[i].children;
    const image = new ImageData(grid.columns, grid.lines);
    grid.values.forEach((value, place) => image.data.set([...valueColour(value, grid.scale, ends), 255], 4 * place));
    [canvas.width, canvas.height] = [grid.columns, grid.lines];
    canvas.getContext("2d").putImageData(image, 0, 0);
    const name = grid.layer === "" ? "gradientWhole" : grid.transposed ? "gradientDown" : "gradientAcross";
    caption.textContent = say(name, {layer: grid.layer, units: number(grid.units),
                                     scale: number(grid.scale, {maximumSignificantDigits: 1})});
  });
}

function showServer() {
  if (!step) return;
  const {answer, counts} = step;
  if (batch) put("pulled", number(batch.version));
  put("stale", answer?.staleness === undefined ? "–"
    : answer.staleness === 0 ? say("staleNot") : say("staleBy", {count: number(answer.staleness)}));
  put("answer", answer === null ? say("waiting")
    : answer.reason ? say("refused", {why: sentenceOf(language, answer.reason)})
    : say("applied", {update: number(answer.update)}));
  put("counts", say("countsAre", {applied: number(counts.applied), refused: number(counts.refused)}));
}

// A dot for each of my updates, a line for the class.
function showCurve() {
  const canvas = at("curve"), context = canvas.getContext("2d"), ratio = devicePixelRatio;
  const wide = canvas.clientWidth, high = canvas.clientHeight, left = 20, below = 22, above = 20, right = 8;
  [canvas.width, canvas.height] = [Math.round(wide * ratio), Math.round(high * ratio)];
  context.scale(ratio, ratio);
  if (batch) put("loss", loss(batch.loss));
  if (Number.isFinite(progress?.loss)) put("class-loss", loss(progress.loss));
  const all = [...mine.points, ...ofClass.points];
  if (all.length === 0) return put("curve-text", say("curveNone"));
  const updates = all.map(([x]) => x), losses = all.map(([, y]) => y);
  const from = Math.min(...updates), to = Math.max(...updates), most = Math.max(...losses, 1e-9);
  put("curve-text", say("curveSays", {from: number(from), to: number(to), least: loss(Math.min(...losses)), most: loss(most)}));
  const x = (update) => left + (wide - left - right) * (to > from ? (update - from) / (to - from) : 0);
  const y = (value) => high - below - (high - below - above) * Math.min(value / most, 1);
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = colour("quiet");
  context.strokeStyle = colour("edge");
  context.beginPath();
  context.moveTo(left, above);
  context.lineTo(left, high - below);
  context.lineTo(wide - right, high - below);
  context.stroke();
  context.textAlign = "right";
  context.fillText("0", left - 5, high - below);
  context.fillText(number(to), wide - right, high - 6);
  context.textAlign = "left";
  context.fillText(number(most, {maximumSignificantDigits: 2}), 0, 12);  // above the axis, where it may be long
  context.fillText(number(from), left, high - 6);
  context.fillStyle = colour("second");
  for (const [update, value] of mine.points) context.fillRect(x(update) - 1.5, y(value) - 1.5, 3, 3);
  context.strokeStyle = colour("accent");
  context.lineWidth = 2.5;
  context.beginPath();
  ofClass.points.forEach(([update, value], i) => context[i === 0 ? "moveTo" : "lineTo"](x(update), y(value)));
  context.stroke();
}

// ---- The drawn digit

let asked = 0, verdictOf = "";
const drawn = board(at("board"), at("pen"), {
  ask: (picture) => picture && !at("asking").hidden ? worker.postMessage({what: "ask", id: ++asked, picture})
    : showBeliefs({id: ++asked}),
  pen: (isDown) => put("pen-state", say(isDown ? "penDown" : "penUp")),
  colour: () => colour("ink"),
});

function showBeliefs({id, probabilities}) {
  if (id !== asked) return;  // of an older drawing
  const list = at("beliefs");
  const best = probabilities ? probabilities.indexOf(Math.max(...probabilities)) : -1;
  list.hidden = !probabilities;
  if (!probabilities) verdictOf = probabilities === null ? "verdictEarly" : "verdictNone";
  if (!probabilities) return ["verdict", "verdict-said"].forEach((id) => put(id, say(verdictOf)));
  while (list.children.length < probabilities.length) {
    const item = list.appendChild(document.createElement("li"));
    for (const name of ["span", "progress", "span"]) item.append(document.createElement(name));
    item.children[0].textContent = String(list.children.length - 1);
    item.children[1].setAttribute("aria-hidden", "true");
  }
  while (list.children.length > probabilities.length) list.lastChild.remove();
  probabilities.forEach((value, digit) => {
    const [, bar, words] = list.children[digit].children;
    bar.value = value;
    words.textContent = share(value);
    list.children[digit].className = digit === best ? "first" : "";
  });
  const verdict = say("verdict", {digit: best, belief: share(probabilities[best])});
  put("verdict", verdict);  // always that of the bars
  // While the class trains on, it is read aloud anew only where it is another.
  const words = `${best} ${Math.round(probabilities[best] * 10)}`;
  if (words !== verdictOf) put("verdict-said", verdict);
  verdictOf = words;
}

// ---- The person

function setLanguage(next) {
  language = next;
  document.documentElement.lang = next;
  document.title = `StrategyLab: ${say("title")}`;
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = say(each.dataset.text);
  at("english").setAttribute("aria-pressed", String(next === "en"));
  at("german").setAttribute("aria-pressed", String(next === "de"));
  at("board").setAttribute("aria-label", say("board"));
  verdictOf = "";
  drawn.ask();
  redraw();
}

function redraw() {
  showState();
  if (batch) showDigits();
  if (batch) showGradient();
  showServer();
  showCurve();
}

for (const [id, code] of [["english", "en"], ["german", "de"]])
  at(id).onclick = () => {
    memory.set("language", code);
    setLanguage(code);
  };
at("pause").onclick = () => {
  isPaused = !isPaused;
  sleepOrWake();
};
at("again").onclick = () => {
  tries = 0;
  join();
};
at("more").onclick = () => {
  showsAll = !showsAll;
  redraw();
};
at("clear").onclick = () => drawn.clear();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && triesAgain()) join();
  else sleepOrWake();
});
addEventListener("online", () => { if (triesAgain()) join(); });
addEventListener("hashchange", () => {
  if (readLink()) join();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  drawn.recolour();
  redraw();
});
new ResizeObserver(showCurve).observe(at("curve"));

readLink();
if (location.protocol === "https:") document.querySelector('[data-text="privacy"]').dataset.text = "privacyEncrypted";
setLanguage(language in texts ? language : "en");
join();
