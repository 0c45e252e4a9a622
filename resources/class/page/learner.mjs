// SPDX-License-Identifier: GPL-3.0-or-later
// The page's part in its Worker, without one: takes what the page asks for, works in the class with what it is given
// (core/wasm/class_worker.mjs), and posts to the page what happens, twice a second, however fast it computes.
import {gradientGrid, networkOf} from "./pictures.mjs";

const everyMs = 500;

// Becomes {} when the server is silent: pings are not seen here, but it says something every 5 s. Ticks are counted,
// not time: a Worker that computed for long, or slept, has not listened meanwhile.
function silenceOf(socket) {
  let ticks = 0, timer;
  socket.addEventListener("message", () => { ticks = 0; });
  const silent = new Promise((resolve) => { timer = setInterval(() => { if (++ticks > 3) resolve({}); }, 5000); });
  return {silent, forget: () => clearInterval(timer)};
}

export class Learner {
  #parts; #post; #worker = null; #socket = null; #joins = 0; #isWelcome = false; #asleep = false;
  #network; #batch; #answer; #points; #counts; #computed; #classPaused; #progress;
  #timer = null; #shownAt; #shown; #images; #since; #rate;

  // `parts`: ClassWorker, parseLink, loadReplicas, WebSocket, and module(), a promise of replica.wasm.
  constructor(parts, post) {
    this.#parts = parts;
    this.#post = post;
  }

  take(message) {
    switch (message.what) {
      case "join": return this.#join(message.link);
      case "asleep":
        this.#asleep = message.asleep;
        this.#beginPace();
        if (this.#isWelcome) this.#worker.asleep(message.asleep);
        return undefined;
      case "ask": return this.#post({what: "asked", id: message.id, ...this.#ask(message.picture)});
      default: throw new Error(`the page asks for ${message.what}`);
    }
  }

  // Also when the class is over, or is another one than that which was drawn for.
  #ask(picture) {
    try {
      return this.#worker?.ask(picture) ?? {probabilities: null};
    } catch {
      return {probabilities: null};
    }
  }

  #begin() {
    this.#isWelcome = false;
    this.#batch = this.#answer = this.#computed = this.#progress = this.#classPaused = this.#shown = null;
    this.#points = [];
    this.#counts = {applied: 0, refused: 0};
    this.#shownAt = -Infinity;
    this.#beginPace();
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  // A pace is not taken over a pause.
  #beginPace() {
    this.#images = this.#rate = 0;
    this.#since = -Infinity;
  }

  async #join(link) {
    const {ClassWorker, parseLink, loadReplicas, WebSocket, module} = this.#parts;
    const turn = ++this.#joins;
    this.#worker = null;
    this.#socket?.close();
    this.#begin();
    const where = parseLink(link);
    if (!where) return this.#post({what: "noLink"});
    if (!globalThis.WebAssembly) return this.#post({what: "old"});  // switched off
    let replicas;
    try {
      replicas = await loadReplicas(await module());
    } catch (error) {
      // What did not come over the network may come the next time; the rest is the browser's age, or its memory.
      if (turn !== this.#joins) return undefined;
      if (error instanceof RangeError) return this.#post({what: "away", reason: "cannot-compute"});
      return this.#post({what: error instanceof WebAssembly.CompileError ? "old" : "broken"});
    }
    const isMine = () => turn === this.#joins;
    if (!isMine()) return undefined;
    const socket = this.#socket = new WebSocket(where.socket);
    socket.binaryType = "arraybuffer";
    const worker = new ClassWorker(socket, replicas.Replica, where.token, "", (what, it) => {
      if (isMine()) this.#tell(what, it);
    });
    this.#worker = worker;
    const {silent, forget} = silenceOf(socket);
    const end = await Promise.race([worker.result.catch(() => ({})), silent]);
    forget();
    if (!isMine()) return undefined;
    ++this.#joins;  // whatever a silent server says later is of no use
    socket.close();
    if (this.#timer !== null) this.#show();
    this.#isWelcome = false;
    if (end.over) return this.#post({what: "ended"});
    return this.#post(end.reason ? {what: "away", reason: end.reason} : {what: "broken"});
  }

  #tell(what, it) {
    switch (what) {
      case "welcome":
        this.#network = networkOf(it.network, it.weights);
        this.#isWelcome = true;
        this.#post({what, name: it.name, strategy: it.strategy, steps: Number(it.steps), input: this.#network.input,
                    digits: it.digits});
        if (this.#asleep) this.#worker.asleep(true);
        return;
      case "computed": return this.#keep(it);
      case "applied": {
        const update = Number(it.version);
        ++this.#counts.applied;
        if (this.#computed?.closure === it.closure) this.#points.push([update, this.#computed.loss]);
        if (this.#shown === it.closure) this.#answer = {update, staleness: it.staleness};
        break;
      }
      case "refused":
        ++this.#counts.refused;
        if (this.#shown === it.closure) this.#answer = {reason: it.reason};
        break;
      case "pause":
        this.#classPaused = it.paused;
        this.#beginPace();
        break;
      case "progress": this.#progress = {updates: Number(it.updates), workers: it.workers, loss: it.loss}; break;
    }
    this.#showSoon();
  }

  // The page shows a step at most every `everyMs` and skips those in between, so that all it shows is of one step.
  #keep(it) {
    const now = performance.now();
    this.#images += it.count;
    this.#computed = {closure: it.closure, loss: it.loss};
    if (now - this.#shownAt < everyMs && this.#shown !== null) return;
    this.#shown = it.closure;
    this.#shownAt = now;
    this.#answer = null;
    const size = this.#network.input.reduce((product, extent) => product * extent, 1);
    this.#batch = {
      count: it.count, correct: it.correct, loss: it.loss, version: Number(it.version),
      pixels: it.pixels.slice(0, it.count * size), labels: it.labels.slice(0, it.count),
      predictions: it.predictions.slice(0, it.count), losses: it.losses.slice(0, it.count),
      gradients: this.#network.kernels.map((kernel) => gradientGrid(it.gradients, kernel)),
    };
    clearTimeout(this.#timer);  // so that the answer to it has time to come
    this.#timer = null;
    this.#showSoon();
  }

  #showSoon() {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#show(), everyMs / 2);
  }

  #show() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const now = performance.now();
    if (now - this.#since > 2000) {
      if (this.#since > 0) this.#rate = this.#images * 1000 / (now - this.#since);
      this.#since = now;
      this.#images = 0;
    }
    this.#post({
      what: "step", batch: this.#batch, answer: this.#answer, points: this.#points, counts: this.#counts,
      rate: this.#rate, progress: this.#progress, classPaused: this.#classPaused,
    });
    this.#batch = this.#progress = this.#classPaused = null;
    this.#points = [];
  }
}
